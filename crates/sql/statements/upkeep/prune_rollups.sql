-- Forgets what pictures are drawn from and is kept no longer, of some of the oldest spans.
DELETE FROM markers WHERE minute < :marked;
DELETE FROM waits
WHERE resolution = :resolution AND span < :kept
  AND span < (SELECT coalesce(min(o.span), 0) + :spans FROM waits o WHERE o.resolution = :resolution);
DELETE FROM rollups
WHERE resolution = :resolution AND span < :kept
  AND span < (SELECT coalesce(min(o.span), 0) + :spans FROM rollups o WHERE o.resolution = :resolution)
RETURNING span
