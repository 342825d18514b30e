-- The fact that these jobs run.
INSERT INTO facts (n, type, queue, from_state, to_state, at, subjects, attempts, data)
SELECT count(*), 'job.running', :queue, 'queued', 'running', {{greatest}}(:now, max(since)), {{gathered}}(job_id), {{gathered}}(attempt + 1), json_object('worker', :worker_name)
FROM claiming HAVING count(*) > 0;
