-- A late success becomes the job's state, if nobody has claimed the job since, or wanted it run again. It is never dated before
-- the job came to where it is: its moment may have been read by a process that slept meanwhile.
DELETE FROM moving;
INSERT INTO moving (job_id, queue, from_state, since, tries, losses, run)
SELECT job_id, queue, state, since, tries, losses, run FROM waiting WHERE job_id = :job AND state = 'retry_wait' AND attempt <= :attempt
    AND EXISTS (SELECT 1 FROM attempts a WHERE a.job_id = :job AND a.attempt = :attempt AND a.lease_id = :lease AND a.run = waiting.run)
    AND NOT EXISTS (SELECT 1 FROM late_results t WHERE t.job_id = :job AND t.attempt = :attempt)
UNION ALL
SELECT job_id, queue, 'queued', since, tries, losses, run FROM ready WHERE job_id = :job AND attempt <= :attempt
    AND EXISTS (SELECT 1 FROM attempts a WHERE a.job_id = :job AND a.attempt = :attempt AND a.lease_id = :lease AND a.run = ready.run)
    AND NOT EXISTS (SELECT 1 FROM late_results t WHERE t.job_id = :job AND t.attempt = :attempt);
DELETE FROM waiting WHERE job_id IN (SELECT job_id FROM moving);
DELETE FROM ready WHERE job_id IN (SELECT job_id FROM moving);
INSERT INTO finished (job_id, state, finished_at, queued_at, attempt, tries, losses, run)
SELECT job_id, 'succeeded', max(:now, since), since, :attempt, :tries, :losses, run FROM moving;
INSERT INTO late_results (job_id, attempt, outcome, at, adopted, result)
SELECT job_id, :attempt, 'succeeded', max(:now, since), 1, :result FROM moving
WHERE true
ON CONFLICT (job_id, attempt) DO NOTHING;
INSERT INTO facts (n, type, queue, from_state, to_state, at, subjects, attempts, items)
SELECT 1, 'job.succeeded', queue, from_state, 'succeeded', max(:now, since), json_array(job_id), json_array(:attempt), '[{"late":true}]' FROM moving;
SELECT job_id FROM moving;
