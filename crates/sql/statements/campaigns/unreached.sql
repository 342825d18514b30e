-- The next deliveries of a campaign, after one and up to another, that have ended without reaching anybody.
SELECT f.job_id, f.state, f.attempt
FROM finished f
WHERE f.job_id > :after AND f.job_id <= :until AND f.state IN ('failed', 'canceled', 'skipped')
ORDER BY f.job_id
LIMIT :limit
