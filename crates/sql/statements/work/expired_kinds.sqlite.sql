-- The kinds of jobs whose time has passed.
-- What is still in a batch steps out of it first, with all that is in it.
SELECT first AS told_batch FROM ready_batches WHERE expires_at <= :now AND {{picked first}} ORDER BY expires_at LIMIT {{some_batches :limit}};
INSERT INTO ready (queue, priority, run_at, job_id, expires_at, since, attempt, tries, losses, run)
SELECT queue, priority, run_at, job_id, expires_at, since, 0, 0, 0, 1 FROM batched WHERE batch = :told_batch;
DELETE FROM ready_batches WHERE first = :told_batch;
SELECT DISTINCT j.kind
FROM (
  SELECT job_id FROM (SELECT job_id FROM waiting WHERE expires_at <= :now AND {{picked job_id}} ORDER BY expires_at LIMIT :limit) w
  UNION ALL
  SELECT job_id FROM (SELECT job_id FROM ready WHERE expires_at <= :now AND {{picked job_id}} ORDER BY expires_at LIMIT :limit) r
) s
JOIN jobs j ON j.id = s.job_id
