-- The next candidates among claimable jobs, newest first.
SELECT c.id, CASE WHEN (:kind::text IS NULL OR j.kind = :kind)
  AND (:queue::text IS NULL OR j.queue = :queue)
  AND (:tag::text IS NULL OR {{strpos}}(j.tags, :tag) > 0)
  AND (:key::text IS NULL OR j.key = :key) THEN 1 ELSE 0 END AS matches
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
