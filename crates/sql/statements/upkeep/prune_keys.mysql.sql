-- Forgets keys whose window has passed.
SELECT key FROM job_keys WHERE created_at < :cutoff ORDER BY created_at, key LIMIT :limit;
DELETE FROM job_keys WHERE created_at < :cutoff ORDER BY created_at, key LIMIT :limit
