-- Cancels deliveries of a canceled campaign that nobody holds, and asks the others to stop. Says how many were canceled, and how many run.
-- What is still in a batch steps out of it first, with all that is in it.
SELECT first AS told_batch FROM ready_batches WHERE queue = :queue AND {{picked first}} LIMIT 1 + :limit / 1000;
INSERT INTO ready (queue, priority, run_at, job_id, expires_at, since, attempt, tries, losses, run)
SELECT queue, priority, run_at, job_id, expires_at, since, 0, 0, 0, 1 FROM batched WHERE batch = :told_batch;
DELETE FROM ready_batches WHERE first = :told_batch;
DELETE FROM moving;
INSERT INTO moving (job_id, from_state, queue, since, attempt, tries, losses, run)
SELECT * FROM (
  SELECT job_id, state, queue, since, attempt, tries, losses, run FROM waiting WHERE job_id >= :lowest AND job_id <= :highest AND {{picked job_id}} ORDER BY job_id LIMIT :limit)
UNION ALL
SELECT * FROM (SELECT job_id, 'queued', queue, since, attempt, tries, losses, run FROM ready WHERE queue = :queue AND {{picked job_id}} LIMIT :limit);
DELETE FROM waiting WHERE job_id IN (SELECT job_id FROM moving);
DELETE FROM ready WHERE job_id IN (SELECT job_id FROM moving);
INSERT INTO finished (job_id, state, finished_at, queued_at, attempt, tries, losses, run)
SELECT job_id, 'canceled', :now, since, attempt, tries, losses, run FROM moving;
INSERT INTO facts (n, type, queue, from_state, to_state, at, subjects, attempts)
SELECT count(*), 'job.canceled', queue, from_state, 'canceled', :now, json_group_array(job_id), json_group_array(attempt) FROM moving GROUP BY queue, from_state;
INSERT INTO facts (n, type, queue, at, subjects, attempts)
SELECT count(*), 'job.cancel_asked', :queue, :now, json_group_array(h.job_id), json_group_array(h.attempt)
FROM held h WHERE h.queue = :queue AND {{picked h.job_id}} AND NOT EXISTS (SELECT 1 FROM cancellations c WHERE c.job_id = h.job_id) HAVING count(*) > 0;
INSERT INTO cancellations (job_id, asked_at) SELECT h.job_id, :now FROM held h WHERE h.queue = :queue AND {{picked h.job_id}} ON CONFLICT (job_id) DO NOTHING;
SELECT (SELECT count(*) FROM moving), (SELECT count(*) FROM held h WHERE h.queue = :queue AND {{picked h.job_id}});
