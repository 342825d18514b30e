-- Which events there are, and whether this is another copy of the database than the one their history belongs to.
SELECT s.epoch, coalesce((SELECT f.last_seq - (CASE f.type WHEN 'job.started' THEN 2 * f.n ELSE f.n END) + 1 FROM facts f WHERE f.last_seq IS NOT NULL ORDER BY f.last_seq LIMIT 1), s.last_seq + 1), s.last_seq,
  {{is_another_copy}}
FROM stream s
WHERE s.id = 1
