-- Writes down how far jobs have come, each only if the lease is the worker's and holds that attempt. The leases are locked as
-- settlements lock them.
DELETE FROM locked;
INSERT INTO locked (id)
SELECT l.id
FROM (SELECT DISTINCT lease FROM json_table(:rows, '$[*]' COLUMNS (lease varchar(36) PATH '$.lease')) y ORDER BY lease) x
STRAIGHT_JOIN leases l FORCE INDEX (PRIMARY) ON l.id = x.lease AND l.worker_id = :worker
FOR UPDATE /*!80000 OF l */;
INSERT INTO checkpoints (job_id, seq, era, attempt, progress, moved, at, told_at)
SELECT r.job, 0, 1, r.attempt, r.progress, 0, :now, 0
FROM json_table(:rows, '$[*]' COLUMNS (
  lease varchar(36) PATH '$.lease', job varchar(36) PATH '$.job', attempt int PATH '$.attempt', progress longtext PATH '$.progress')) r
STRAIGHT_JOIN locked k ON k.id = r.lease
LEFT JOIN leased h FORCE INDEX (PRIMARY) ON h.job_id = r.job AND h.lease_id = r.lease AND h.attempt = r.attempt
LEFT JOIN leased_blocks b FORCE INDEX (PRIMARY) ON b.lease_id = r.lease AND b.block = {{block r.job}} AND (b.bits & {{bit r.job}}) > 0 AND r.attempt = 1
WHERE h.job_id IS NOT NULL OR b.block IS NOT NULL
ON DUPLICATE KEY UPDATE progress = VALUES(progress)
