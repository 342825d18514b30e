-- Cancels deliveries of a canceled campaign that nobody holds, and asks the others to stop. Says how many were canceled, and how many run.
-- What is still in a batch steps out of it first, with all that is in it. The leases are locked before anybody is asked to stop, as
-- for a single job: a wish for one that has ended in between would stay for ever.
SELECT id FROM leases WHERE queue = :queue ORDER BY id FOR UPDATE;
WITH unpacked AS (
  DELETE FROM ready_batches WHERE first = ANY (ARRAY(SELECT first FROM ready_batches WHERE queue = :queue AND n >= 1 AND {{picked first}} LIMIT 1 + :limit::bigint / 1000 FOR UPDATE SKIP LOCKED))
  RETURNING queue, priority, run_at, expires_at, since, jobs, taken
)
INSERT INTO ready (queue, priority, run_at, job_id, expires_at, since, attempt, tries, losses, run)
SELECT b.queue, b.priority, b.run_at, j.job_id, b.expires_at, b.since, 0, 0, 0, 1
FROM unpacked b CROSS JOIN LATERAL unnest(b.jobs[b.taken + 1:]) AS j (job_id);
WITH left_waiting AS (
  DELETE FROM waiting
  WHERE job_id = ANY (ARRAY(
    SELECT job_id FROM waiting WHERE job_id >= :lowest AND job_id <= :highest AND {{picked job_id}} ORDER BY job_id LIMIT :limit FOR UPDATE SKIP LOCKED))
  RETURNING job_id, state, queue, since, attempt, tries, losses, run
), left_ready AS (
  DELETE FROM ready
  WHERE ctid = ANY (ARRAY(SELECT ctid FROM ready WHERE queue = :queue AND run >= 1 AND {{picked job_id}} LIMIT :limit FOR UPDATE SKIP LOCKED))
  RETURNING job_id, 'queued'::text AS state, queue, since, attempt, tries, losses, run
), canceled AS (
  SELECT * FROM left_waiting UNION ALL SELECT * FROM left_ready
), ended AS (
  INSERT INTO finished (job_id, state, finished_at, queued_at, attempt, tries, losses, run)
  SELECT job_id, 'canceled', :now, since, attempt, tries, losses, run FROM canceled
), told AS (
  INSERT INTO facts (n, type, queue, from_state, to_state, at, subjects, attempts)
  SELECT count(*), 'job.canceled', queue, state, 'canceled', :now, array_agg(job_id), array_agg(attempt) FROM canceled GROUP BY queue, state
), running AS MATERIALIZED (
  SELECT held.job_id, held.attempt, l.xmax = pg_current_xact_id()::xid AS is_locked FROM held JOIN leases l ON l.id = held.lease_id WHERE l.queue = :queue AND {{picked held.job_id}}
), asked AS (
  INSERT INTO cancellations (job_id, asked_at) SELECT job_id, :now FROM running WHERE is_locked ORDER BY job_id ON CONFLICT (job_id) DO NOTHING RETURNING job_id
), told_asked AS (
  INSERT INTO facts (n, type, queue, at, subjects, attempts)
  SELECT count(*), 'job.cancel_asked', :queue, :now, array_agg(h.job_id), array_agg(h.attempt) FROM running h JOIN asked c ON c.job_id = h.job_id HAVING count(*) > 0
)
SELECT (SELECT count(*) FROM canceled), (SELECT count(*) FROM running)
