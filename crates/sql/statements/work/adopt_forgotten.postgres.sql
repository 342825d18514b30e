-- A success under a claim that a crash of the database has forgotten becomes the job's state, if the job still stands where that
-- claim found it: the attempt is the next one, nobody has had it since, and no lease has the name of its own.
-- What is still in a batch steps out of it first, with all that is in it.
WITH unpacked AS (
  DELETE FROM ready_batches WHERE :attempt = 1 AND :run = 1 AND NOT EXISTS (SELECT 1 FROM leases l WHERE l.id = :lease) AND first = (
    SELECT x.first FROM (SELECT * FROM ready_batches WHERE first <= :job ORDER BY first DESC LIMIT 1) x WHERE :job = ANY (x.jobs[x.taken + 1:]))
  RETURNING queue, priority, run_at, expires_at, since, jobs, taken
)
INSERT INTO ready (queue, priority, run_at, job_id, expires_at, since, attempt, tries, losses, run)
SELECT b.queue, b.priority, b.run_at, j.job_id, b.expires_at, b.since, 0, 0, 0, 1
FROM unpacked b CROSS JOIN LATERAL unnest(b.jobs[b.taken + 1:]) AS j (job_id);
WITH moved AS (
  DELETE FROM ready WHERE job_id = :job AND attempt = :attempt - 1 AND run = :run
    AND NOT EXISTS (SELECT 1 FROM leases l WHERE l.id = :lease)
    AND NOT EXISTS (SELECT 1 FROM attempts a WHERE a.job_id = :job AND a.attempt = :attempt)
  RETURNING job_id, queue, since, run
), ended AS (
  INSERT INTO finished (job_id, state, finished_at, queued_at, attempt, tries, losses, run)
  SELECT job_id, 'succeeded', greatest(:now, since), since, :attempt, :tries, :losses, run FROM moved
), new_attempt AS (
  INSERT INTO attempts (job_id, attempt, run, lease_id, worker_id, queued_at, claimed_at, started_at, ended_at, outcome, state, tries, losses, result)
  SELECT job_id, :attempt, run, :lease, :worker, since, greatest(:started_at, since), :started_at, greatest(:now, since), 'succeeded', 'succeeded', :tries, :losses, :result FROM moved
), late AS (
  INSERT INTO late_results (job_id, attempt, outcome, at, adopted, result)
  SELECT job_id, :attempt, 'succeeded', greatest(:now, since), true, :result FROM moved
), told AS (
  INSERT INTO facts (n, type, queue, from_state, to_state, at, subjects, attempts, items)
  SELECT 1, 'job.succeeded', queue, 'queued', 'succeeded', greatest(:now, since), ARRAY[job_id], ARRAY[:attempt::integer], '[{"late":true}]' FROM moved
)
SELECT job_id FROM moved
