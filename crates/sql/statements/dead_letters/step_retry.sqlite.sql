-- Runs the next dead letters of an operation again; their moves, their facts and its cursor are one.
DELETE FROM moving;
INSERT INTO moving (job_id, queue, priority, attempt, run, fingerprint, finished_at, since)
SELECT f.job_id, j.queue, j.priority, f.attempt, f.run, f.fingerprint, f.finished_at, f.queued_at
FROM finished f
JOIN jobs j ON j.id = f.job_id
WHERE f.state = 'failed' AND f.discarded_at IS NULL
{{dead_letter_filter}} AND {{picked f.job_id}} AND f.job_id > :cursor
  AND f.finished_at <= (SELECT created_at FROM operations WHERE id = :operation AND cursor = :cursor AND finished_at IS NULL)
ORDER BY f.job_id
LIMIT :limit;
DELETE FROM finished WHERE job_id IN (SELECT job_id FROM moving);
INSERT INTO redrives (job_id, run, at, finished_at, queued_at) SELECT job_id, run, :now, finished_at, since FROM moving;
INSERT INTO ready (queue, priority, run_at, job_id, since, attempt, tries, losses, run)
SELECT queue, priority, :now, job_id, :now, attempt, 0, 0, run + 1 FROM moving;
INSERT INTO facts (n, type, queue, from_state, to_state, at, subjects, attempts, data, items)
SELECT count(*), 'job.queued', queue, 'failed', 'queued', :now, json_group_array(job_id), json_group_array(attempt),
  json_object('operation', :subject), json_group_array(json_object('was', fingerprint))
FROM moving GROUP BY queue;
{{step}}
SELECT count(*) FROM moving;
