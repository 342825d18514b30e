-- The fact that these jobs run, and their attempts as they come to the same hand. That all are first attempts is told once.
INSERT INTO facts (n, type, queue, from_state, to_state, at, subjects, attempts, data)
SELECT count(*), 'job.running', :queue, 'queued', 'running', greatest(:now, max(since)), '["' || group_concat(job_id SEPARATOR '","') || '"]',
  CASE WHEN max(attempt) > 0 THEN '[' || group_concat(attempt + 1 SEPARATOR ',') || ']' END,
  CASE WHEN max(attempt) > 0 THEN json_object('worker', :worker_name) ELSE json_object('worker', :worker_name, 'attempt', 1) END
FROM claiming HAVING count(*) > 0;
INSERT INTO facts (n, type, queue, from_state, to_state, at, subjects, data)
SELECT @batched, 'job.running', :queue, 'queued', 'running', greatest(:now, @batch_since), @subjects, json_object('worker', :worker_name, 'attempt', 1)
WHERE @batched > 0;
