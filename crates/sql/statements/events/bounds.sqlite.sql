-- Which events there are. A file does not know that it is a copy: whoever puts one back says so.
SELECT s.epoch, coalesce((SELECT f.last_seq - (CASE f.type WHEN 'job.started' THEN 2 * f.n ELSE f.n END) + 1 FROM facts f WHERE f.last_seq IS NOT NULL ORDER BY f.last_seq LIMIT 1), s.last_seq + 1), s.last_seq, 0
FROM stream s
WHERE s.id = 1
