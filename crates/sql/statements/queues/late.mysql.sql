-- How many claimable jobs of a queue were due before a moment, as far as a limit: along the index, priority by priority, then batch by batch.
WITH RECURSIVE priorities (priority) AS (
  SELECT -100
  UNION ALL
  SELECT priority + 1 FROM priorities WHERE priority < 100
)
SELECT
  (SELECT count(*) FROM (
    SELECT 1 FROM priorities p STRAIGHT_JOIN ready r FORCE INDEX (PRIMARY) ON r.queue = :queue AND r.priority = p.priority AND r.run_at < :before
    LIMIT :limit) s),
  coalesce((SELECT CAST(sum(left_over) AS signed) FROM (
    SELECT n AS left_over FROM ready_batches b
    WHERE b.queue = :queue AND b.run_at < :before
    ORDER BY b.queue, b.run_at, b.first LIMIT :limit) t), 0)
