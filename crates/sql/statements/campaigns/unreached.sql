-- The next deliveries of a campaign, after one and up to another, that have ended without reaching anybody.
-- Said of the states it is not, which no index but the key's own order can serve.
SELECT f.job_id, f.state, f.attempt
FROM finished f {{by_key}}
WHERE f.job_id > :after AND f.job_id <= :until AND f.state NOT IN ('succeeded', 'uncertain')
ORDER BY f.job_id
LIMIT :limit
