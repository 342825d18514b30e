-- Forgets numbered facts that are old, from the front only, so that what is left is dense.
WITH oldest AS (
  SELECT last_seq, at FROM facts WHERE last_seq > 0 ORDER BY last_seq LIMIT :limit
)
DELETE FROM facts
WHERE last_seq IN (
  SELECT last_seq FROM oldest WHERE last_seq < coalesce((SELECT min(y.last_seq) FROM oldest y WHERE y.at >= :cutoff), 9223372036854775807))
RETURNING last_seq
