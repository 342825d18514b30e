-- What is recorded of an attempt, in time or late.
SELECT a.lease_id, a.outcome, CASE WHEN t.adopted THEN 1 ELSE 0 END
FROM results a
LEFT JOIN late_results t ON t.job_id = a.job_id AND t.attempt = a.attempt
WHERE a.job_id = :job AND a.attempt = :attempt
