-- How many claimable jobs of a queue were due before a moment, as far as a limit: along the index, priority by priority, then batch by batch.
WITH RECURSIVE priorities (priority) AS (
  SELECT min(r.priority) FROM ready r WHERE r.queue = :queue AND r.run >= 1
  UNION ALL
  SELECT (SELECT min(r.priority) FROM ready r WHERE r.queue = :queue AND r.priority > p.priority AND r.run >= 1) FROM priorities p WHERE p.priority IS NOT NULL
)
SELECT
  (SELECT count(*) FROM (
    SELECT 1 FROM priorities p CROSS JOIN ready r
    WHERE r.queue = :queue AND r.priority = p.priority AND r.run_at < :before AND r.run >= 1
    LIMIT :limit) s),
  coalesce((SELECT sum(left_over) FROM (
    SELECT {{left_in_batch}} AS left_over FROM ready_batches b
    WHERE b.queue = :queue AND b.run_at < :before AND b.n >= 1
    ORDER BY b.run_at, b.first LIMIT :limit) t), 0)
