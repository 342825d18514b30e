-- Takes the next dead letters of an operation off the list; the marks, their facts and its cursor are one.
DELETE FROM moving;
INSERT INTO moving (job_id, queue, attempt, fingerprint)
SELECT f.job_id, j.queue, f.attempt, f.fingerprint
FROM finished f
JOIN jobs j ON j.id = f.job_id
WHERE f.state = 'failed' AND f.discarded_at IS NULL
{{dead_letter_filter}} AND {{picked f.job_id}} AND f.job_id > :cursor
  AND f.finished_at <= (SELECT created_at FROM operations WHERE id = :operation AND cursor = :cursor AND finished_at IS NULL)
ORDER BY f.job_id
LIMIT :limit;
UPDATE finished SET discarded_at = :now WHERE job_id IN (SELECT job_id FROM moving);
INSERT INTO facts (n, type, queue, at, subjects, attempts, data, items)
SELECT count(*), 'job.discarded', queue, :now, json_group_array(job_id), json_group_array(attempt),
  json_object('operation', :subject), json_group_array(json_object('was', fingerprint))
FROM moving GROUP BY queue;
{{step}}
SELECT count(*) FROM moving;
