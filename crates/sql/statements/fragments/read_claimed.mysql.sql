-- What was claimed, and whether it is held in a block: from batches in the order in which they stand, then what stands behind them. Of
-- batches whose jobs are alike the first job is told, then how many batches there are, the ids of all of their jobs, and what each carries,
-- with a sign at the end: a server cuts an answer that is too large.
SELECT j.id, :lease, 1, 1, 0, 1, t.since, {{told_of_job}}, j.expires_at, 1, NULL, NULL
FROM taking t
STRAIGHT_JOIN jobs j FORCE INDEX (PRIMARY) ON j.id >= t.first AND j.id <= t.last AND j.run_at = t.run_at AND j.queue = @open
UNION ALL
SELECT NULL, :lease, @batches, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, {{untold}}, NULL, 1, @subjects, @payloads || _utf8mb4 x'1e' WHERE @are_alike AND @batched > 0
UNION ALL
(SELECT c.job_id, :lease, {{claimed_job}}, NULL, NULL, NULL
FROM claiming c
STRAIGHT_JOIN jobs j FORCE INDEX (PRIMARY) ON j.id = c.job_id
ORDER BY c.priority, c.run_at, c.job_id
LIMIT :k)
