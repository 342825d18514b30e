-- Moves a job that nobody holds, if it is still in the place the move starts from.
-- What is still in a batch steps out of it first, with all that is in it; so it does when one of those that were skipped
-- runs again, for the batch counts on their end.
SELECT b.first AS told_batch
FROM jobs j
JOIN ready_batches b ON b.first = (SELECT max(x.first) FROM ready_batches x WHERE x.first <= :job) AND j.id <= b.last AND b.run_at = j.run_at AND b.queue = j.queue
WHERE j.id = :job;
INSERT INTO ready (queue, priority, run_at, job_id, expires_at, since, attempt, tries, losses, run)
SELECT queue, priority, run_at, job_id, expires_at, since, 0, 0, 0, 1 FROM batched WHERE batch = :told_batch;
DELETE FROM ready_batches WHERE first = :told_batch;
DELETE FROM moving;
INSERT INTO moving (job_id, from_state, queue, priority, run_at, expires_at, since, attempt, tries, losses, run, fingerprint, finished_at, discarded_at, kind)
SELECT j.id, :from, j.queue, j.priority, s.run_at, j.expires_at, s.queued_at, s.attempt, s.tries, s.losses, s.run, s.fingerprint, s.finished_at, s.discarded_at, j.kind
FROM (
  SELECT job_id, run_at, since AS queued_at, attempt, tries, losses, run, NULL AS fingerprint, NULL AS finished_at, NULL AS discarded_at
  FROM waiting WHERE job_id = :job AND state = :from
  UNION ALL
  SELECT job_id, run_at, since, attempt, tries, losses, run, NULL, NULL, NULL FROM ready WHERE job_id = :job AND :from = 'queued'
  UNION ALL
  SELECT job_id, NULL, queued_at, attempt, tries, losses, run, fingerprint, finished_at, discarded_at FROM finished WHERE job_id = :job AND state = :from
) s
JOIN jobs j ON j.id = s.job_id;
DELETE FROM waiting WHERE job_id IN (SELECT job_id FROM moving);
DELETE FROM ready WHERE job_id IN (SELECT job_id FROM moving);
DELETE FROM finished WHERE job_id IN (SELECT job_id FROM moving);
DELETE FROM cancellations WHERE job_id IN (SELECT job_id FROM moving);
INSERT INTO redrives (job_id, run, at, finished_at, queued_at, discarded_at)
SELECT job_id, run, :now, finished_at, since, discarded_at FROM moving WHERE finished_at IS NOT NULL AND :to = 'queued';
INSERT INTO ready (queue, priority, run_at, job_id, expires_at, since, attempt, tries, losses, run)
SELECT queue, priority, iif(:event = 'release', run_at, :now), job_id, iif(finished_at IS NULL, expires_at, NULL), :now, attempt, iif(finished_at IS NULL, tries, 0),
  iif(finished_at IS NULL, losses, 0), iif(finished_at IS NULL, run, run + 1)
FROM moving WHERE :to = 'queued';
INSERT INTO finished (job_id, state, reason, finished_at, queued_at, attempt, tries, losses, run, fingerprint)
SELECT job_id, :to, :reason, :now, since, attempt, tries, losses, run, :fingerprint
FROM moving WHERE :to <> 'queued';
INSERT INTO facts (n, type, queue, from_state, to_state, at, subjects, attempts, items)
SELECT 1, 'job.' || :to, queue, :from, :to, :now, json_array(job_id), json_array(attempt),
  json_array(json_object(
    'reason', :reason,
    'was', CASE WHEN discarded_at IS NULL THEN fingerprint END,
    'fingerprint', :fingerprint,
    'class', CASE WHEN :to = 'failed' THEN 'permanent' END,
    'code', :code,
    'message', :message))
FROM moving;
SELECT job_id FROM moving;
