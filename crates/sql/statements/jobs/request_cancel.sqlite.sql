-- Asks a running job to stop.
INSERT INTO facts (n, type, queue, at, subjects, attempts, items)
SELECT 1, 'job.cancel_asked', queue, :now, json_array(job_id), json_array(attempt), json_array(json_object('reason', :reason))
FROM held
WHERE job_id = :job AND NOT EXISTS (SELECT 1 FROM cancellations c WHERE c.job_id = :job);
INSERT INTO cancellations (job_id, asked_at, reason)
SELECT job_id, :now, :reason FROM leased WHERE job_id = :job
ON CONFLICT (job_id) DO NOTHING;
SELECT job_id, changes() > 0 FROM leased WHERE job_id = :job;
