-- Forgets keys whose window has passed.
DELETE FROM job_keys WHERE key IN (SELECT key FROM job_keys WHERE created_at < :cutoff ORDER BY created_at LIMIT :limit) RETURNING key
