-- Groups that are not empty, the one that last grew first.
SELECT fingerprint, kind, reason, class, code, message, sample_job, n, first_at, last_at
FROM dead_letter_groups
WHERE n > 0 AND (last_at < :before_at OR (last_at = :before_at AND fingerprint > :after))
ORDER BY last_at DESC, fingerprint
LIMIT :limit
