-- What was claimed, and whether it is held in a block: from batches in the order in which they stand, then what stands behind them. Of those
-- that are alike the first is told in full, and of the others whom they are like, and what they carry.
SELECT o.id, :lease, 1, 1, 0, 1, t.since, {{told_of_job}}, j.expires_at, 1,
  CASE WHEN @are_alike AND o.id <> t.first THEN t.first END, CASE WHEN @are_alike AND o.id <> t.first THEN o.payload END
FROM taking t
STRAIGHT_JOIN jobs o FORCE INDEX (PRIMARY) ON o.id >= t.first AND o.id <= t.last AND o.run_at = t.run_at AND o.queue = @open
LEFT JOIN jobs j FORCE INDEX (PRIMARY) ON j.id = CASE WHEN @are_alike AND o.id <> t.first THEN NULL ELSE o.id END
UNION ALL
(SELECT c.job_id, :lease, {{claimed_job}}, NULL, NULL, NULL
FROM claiming c
STRAIGHT_JOIN jobs j FORCE INDEX (PRIMARY) ON j.id = c.job_id
ORDER BY c.priority, c.run_at, c.job_id
LIMIT :k)
