-- Writes down how far jobs have come, each only if the lease is the worker's and holds that attempt. The leases are locked as
-- settlements lock them.
DELETE FROM locked;
INSERT INTO locked (id)
SELECT l.id
FROM (SELECT DISTINCT lease FROM json_table(:rows, '$[*]' COLUMNS (lease varchar(36) PATH '$.lease')) y ORDER BY lease) x
STRAIGHT_JOIN leases l FORCE INDEX (PRIMARY) ON l.id = x.lease AND l.worker_id = :worker
FOR UPDATE /*!80000 OF l */;
DELETE FROM unpacking_leased;
INSERT INTO unpacking_leased (job_id, lease_id)
SELECT r.job, r.lease FROM json_table(:rows, '$[*]' COLUMNS (lease varchar(36) PATH '$.lease', job varchar(36) PATH '$.job')) r
ON DUPLICATE KEY UPDATE job_id = unpacking_leased.job_id;
{{unpack_leased}}
INSERT INTO checkpoints (job_id, seq, era, attempt, progress, moved, at, told_at)
SELECT h.job_id, 0, 1, h.attempt, r.progress, 0, :now, 0
FROM json_table(:rows, '$[*]' COLUMNS (
  lease varchar(36) PATH '$.lease', job varchar(36) PATH '$.job', attempt int PATH '$.attempt', progress longtext PATH '$.progress')) r
STRAIGHT_JOIN locked k ON k.id = r.lease
STRAIGHT_JOIN leased h FORCE INDEX (PRIMARY) ON h.job_id = r.job AND h.lease_id = r.lease AND h.attempt = r.attempt
ON DUPLICATE KEY UPDATE progress = VALUES(progress)
