-- The next candidates among claimable jobs, newest first.
SELECT c.id, {{is_searched}} AS matches
FROM (
  SELECT id FROM (SELECT job_id AS id FROM ready WHERE job_id >= :lowest AND job_id < :before ORDER BY job_id DESC LIMIT :budget)
  UNION ALL
  -- Batch by batch, the latest first, and no further than it takes: none has ids between those of another. Each is read by its own bounds.
  SELECT id FROM (
    SELECT job_id AS id FROM batched
    WHERE batch < :before AND batch >= coalesce((SELECT max(x.first) FROM ready_batches x WHERE x.first <= :lowest), :lowest)
      AND +job_id >= :lowest AND +job_id < :before
    ORDER BY batch DESC, job_id DESC
    LIMIT :budget)
) AS c
CROSS JOIN jobs j ON j.id = c.id
ORDER BY c.id DESC
LIMIT :budget
