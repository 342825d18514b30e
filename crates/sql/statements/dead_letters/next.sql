-- The next dead letters of an operation.
SELECT f.job_id
FROM finished f
{{straight_join}} jobs j ON j.id = f.job_id
WHERE f.state = 'failed' AND f.discarded_at IS NULL
{{dead_letter_filter}} AND {{picked f.job_id}} AND f.job_id > :cursor
  AND f.finished_at <= (SELECT created_at FROM operations WHERE id = :operation AND cursor = :cursor AND finished_at IS NULL)
ORDER BY f.job_id
LIMIT :limit
