-- What is left of a job that was forgotten before its key.
SELECT job_id, created_at, ended_as, ended_at FROM job_keys WHERE key = :key AND ended_as IS NOT NULL
