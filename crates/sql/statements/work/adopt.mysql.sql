-- A late success becomes the job's state, if nobody has claimed the job since, or wanted it run again. It is never dated before
-- the job came to where it is: its moment may have been read by a process that slept meanwhile.
DELETE FROM moving;
INSERT INTO moving (job_id, queue, from_state, since, tries, losses, run)
SELECT w.job_id, w.queue, w.state, w.since, w.tries, w.losses, w.run
FROM waiting w
WHERE w.job_id = :job AND w.state = 'retry_wait' AND w.attempt <= :attempt
  AND EXISTS (SELECT 1 FROM attempts a WHERE a.job_id = :job AND a.attempt = :attempt AND a.lease_id = :lease AND a.run = w.run)
  AND NOT EXISTS (SELECT 1 FROM late_results t WHERE t.job_id = :job AND t.attempt = :attempt)
FOR UPDATE;
DELETE w FROM moving m STRAIGHT_JOIN waiting w FORCE INDEX (PRIMARY) ON w.job_id = m.job_id;
{{find_in_line}}
INSERT INTO moving (job_id, queue, from_state, priority, run_at, since, tries, losses, run)
SELECT r.job_id, r.queue, 'queued', r.priority, r.run_at, r.since, r.tries, r.losses, r.run
FROM ready r FORCE INDEX (PRIMARY)
WHERE r.queue = @queue AND r.priority = @priority AND r.run_at = @at AND r.job_id = :job AND r.attempt <= :attempt
  AND EXISTS (SELECT 1 FROM attempts a WHERE a.job_id = :job AND a.attempt = :attempt AND a.lease_id = :lease AND a.run = r.run)
  AND NOT EXISTS (SELECT 1 FROM late_results t WHERE t.job_id = :job AND t.attempt = :attempt)
FOR UPDATE;
{{leave_line}}
INSERT INTO finished (job_id, state, finished_at, queued_at, attempt, tries, losses, run)
SELECT job_id, 'succeeded', greatest(:now, since), since, :attempt, :tries, :losses, run FROM moving;
INSERT INTO late_results (job_id, attempt, outcome, at, adopted, result)
SELECT job_id, :attempt, 'succeeded', greatest(:now, since), true, :result FROM moving
ON DUPLICATE KEY UPDATE job_id = late_results.job_id;
INSERT INTO facts (n, type, queue, from_state, to_state, at, subjects, attempts, items)
SELECT 1, 'job.succeeded', queue, from_state, 'succeeded', greatest(:now, since), json_array(job_id), json_array(:attempt), '[{"late":true}]' FROM moving;
SELECT job_id FROM moving;
