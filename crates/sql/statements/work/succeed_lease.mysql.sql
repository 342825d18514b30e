-- Records first attempts of one lease that succeeded, if nothing stands in the way of any: it holds them all, and nobody asked one of
-- its jobs to stop. Else two rows for one variable are an error that takes all back, and `succeed` looks at each. What is new is written
-- before the leases of all that is recorded beside it are locked, in one order for all: others wait only for what has to be seen as it is.
-- Jobs whose ids follow each other go as one stretch, the last by its key: a scan that has to see where it ends waits for whoever holds the next.
-- A column beside the key keeps MySQL from walking over, and locking, all of the key.
SELECT max(l.queue), max(l.claimed_at) INTO @queue, @claimed_at FROM leases l FORCE INDEX (PRIMARY) WHERE l.id = :lease AND l.worker_id = :worker;
SELECT x.n INTO @none FROM (SELECT 1 AS n UNION ALL SELECT 2) x WHERE @queue IS NULL;
INSERT INTO settlements (worker_id, leases, claimed_at, ended_at) VALUES (:worker, json_array(:lease), '[' || @claimed_at || ']', :now);
INSERT INTO successes (job_id, settlement_id, lease, queued_at, started_at, result)
VALUES (:jobs, last_insert_id(), 1, :queued_ats, :started_ats, :results);
INSERT INTO facts (n, type, queue, from_state, to_state, at, subjects, data)
VALUES (:n, 'job.succeeded', @queue, 'running', 'succeeded', :now, :subjects, '{"attempt":1}');
SELECT count(l.open) INTO @locked FROM leases l FORCE INDEX (PRIMARY) WHERE l.id IN (:leases) FOR UPDATE;
SELECT max(c.job_id) INTO @wish
FROM cancellations c STRAIGHT_JOIN leased h FORCE INDEX (PRIMARY) ON h.job_id = c.job_id
WHERE h.lease_id = :lease;
DELETE /*+ INDEX(h PRIMARY) */ h FROM leased h FORCE INDEX (PRIMARY)
WHERE (h.job_id IN (:singles) OR /*each*/ (h.job_id >= :firsts AND h.job_id < :lasts OR h.job_id = :lasts)) AND h.lease_id = :lease AND h.attempt = 1;
SELECT row_count() INTO @held;
SELECT x.n INTO @none FROM (SELECT 1 AS n UNION ALL SELECT 2) x WHERE @held <> :n OR @wish IS NOT NULL;
UPDATE leases FORCE INDEX (PRIMARY) SET open = open - :n WHERE id = :lease;
DELETE b FROM leases l FORCE INDEX (PRIMARY) STRAIGHT_JOIN leased_blocks b FORCE INDEX (PRIMARY) ON b.lease_id = l.id WHERE l.id = :lease AND l.open = 0;
DELETE l FROM leases l FORCE INDEX (PRIMARY) WHERE l.id = :lease AND l.open = 0;
SELECT NULL, 1, :lease;
