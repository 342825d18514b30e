-- Forgets rollups that are kept no longer, of some of the oldest spans.
DELETE FROM rollups
WHERE resolution = :resolution AND span < :kept
  AND span < (SELECT coalesce(min(o.span), 0) + :spans FROM rollups o WHERE o.resolution = :resolution)
RETURNING span
