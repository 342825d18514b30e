-- A late success becomes the job's state, if nobody has claimed the job since, or wanted it run again. It is never dated before
-- the job came to where it is: its moment may have been read by a process that slept meanwhile.
WITH left_waiting AS (
  DELETE FROM waiting WHERE job_id = :job AND state = 'retry_wait' AND attempt <= :attempt
    AND EXISTS (SELECT 1 FROM attempts a WHERE a.job_id = :job AND a.attempt = :attempt AND a.lease_id = :lease AND a.run = waiting.run)
    AND NOT EXISTS (SELECT 1 FROM late_results t WHERE t.job_id = :job AND t.attempt = :attempt)
  RETURNING job_id, queue, state AS from_state, since, tries, losses, run
), left_ready AS (
  DELETE FROM ready WHERE job_id = :job AND attempt <= :attempt
    AND EXISTS (SELECT 1 FROM attempts a WHERE a.job_id = :job AND a.attempt = :attempt AND a.lease_id = :lease AND a.run = ready.run)
    AND NOT EXISTS (SELECT 1 FROM late_results t WHERE t.job_id = :job AND t.attempt = :attempt)
  RETURNING job_id, queue, 'queued', since, tries, losses, run
), moved AS (
  SELECT * FROM left_waiting UNION ALL SELECT * FROM left_ready
), ended AS (
  INSERT INTO finished (job_id, state, finished_at, queued_at, attempt, tries, losses, run)
  SELECT job_id, 'succeeded', greatest(:now, since), since, :attempt, :tries, :losses, run FROM moved
), late AS (
  INSERT INTO late_results (job_id, attempt, outcome, at, adopted, result)
  SELECT job_id, :attempt, 'succeeded', greatest(:now, since), true, :result FROM moved
  ON CONFLICT (job_id, attempt) DO NOTHING
), told AS (
  INSERT INTO facts (n, type, queue, from_state, to_state, at, subjects, attempts, items)
  SELECT 1, 'job.succeeded', queue, from_state, 'succeeded', greatest(:now, since), ARRAY[job_id], ARRAY[:attempt::integer], '[{"late":true}]' FROM moved
)
SELECT job_id FROM moved
