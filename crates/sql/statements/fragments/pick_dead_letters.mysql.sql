-- Finds the next dead letters of an operation, locks them, and lets go of those that are none any more. How many were found says
-- whether it is over.
SELECT 1 INTO @held FROM operations WHERE id = :operation AND cursor = :cursor AND finished_at IS NULL FOR UPDATE;
DELETE FROM moving;
INSERT INTO moving (job_id, queue, priority, attempt, run, fingerprint, finished_at, since)
SELECT f.job_id, j.queue, j.priority, f.attempt, f.run, f.fingerprint, f.finished_at, f.queued_at
FROM finished f
STRAIGHT_JOIN jobs j ON j.id = f.job_id
WHERE f.state = 'failed' AND f.discarded_at IS NULL
{{dead_letter_filter}} AND {{picked f.job_id}} AND f.job_id > :cursor
  AND f.finished_at <= (SELECT created_at FROM operations WHERE id = :operation AND cursor = :cursor AND finished_at IS NULL)
ORDER BY f.job_id
LIMIT :limit;
SELECT count(*), max(job_id) INTO @found, @last FROM moving;
SELECT count(*) INTO @held FROM moving m STRAIGHT_JOIN finished f FORCE INDEX (PRIMARY) ON f.job_id = m.job_id FOR UPDATE;
DELETE m FROM moving m
LEFT JOIN finished f ON f.job_id = m.job_id AND f.state = 'failed' AND f.discarded_at IS NULL AND f.run = m.run
WHERE f.job_id IS NULL;
