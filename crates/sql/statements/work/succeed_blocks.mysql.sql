-- Records first attempts of one lease that succeeded, a row for those of a block, if nothing stands in the way of any: the lease holds them all in
-- blocks, so that nobody asked one of them to stop, and nothing is recorded of it. Else two rows for one variable are an error that takes
-- all back. What is new is written before the leases of all that is recorded beside it are locked, in one order for all: others wait only for what has
-- to be seen as it is.
SELECT max(l.queue), max(l.claimed_at) INTO @queue, @claimed_at
FROM leases l FORCE INDEX (PRIMARY)
WHERE l.id = :lease AND l.worker_id = :worker AND EXISTS (SELECT 1 FROM leased_blocks b FORCE INDEX (PRIMARY) WHERE b.lease_id = :lease);
SELECT x.n INTO @none FROM (SELECT 1 AS n UNION ALL SELECT 2) x WHERE @queue IS NULL;
INSERT INTO settlements (worker_id, leases, claimed_at, ended_at) VALUES (:worker, json_array(:lease), '[' || @claimed_at || ']', :now);
SET @settlement = last_insert_id();
INSERT INTO success_blocks (block, settlement_id, queued_at, bits, first, last, started_ats, results)
VALUES (:blocks, @settlement, :queued_ats, :bits, :firsts, :lasts, :started_ats, :results);
INSERT INTO facts (n, type, queue, from_state, to_state, at, subjects, data)
VALUES (:n, 'job.succeeded', @queue, 'running', 'succeeded', :now, :subjects, '{"attempt":1}');
SELECT count(l.open) INTO @locked FROM leases l FORCE INDEX (PRIMARY) WHERE l.id IN (:leases) FOR UPDATE;
SELECT coalesce(sum(bit_count(b.bits & s.bits)), 0) INTO @held
FROM success_blocks s FORCE INDEX (PRIMARY)
STRAIGHT_JOIN leased_blocks b FORCE INDEX (PRIMARY) ON b.lease_id = :lease AND b.block = s.block AND b.since = s.queued_at
WHERE s.block IN (:blocks) AND s.settlement_id = @settlement;
SELECT x.n INTO @none FROM (SELECT 1 AS n UNION ALL SELECT 2) x WHERE @held <> :n;
UPDATE success_blocks s FORCE INDEX (PRIMARY)
STRAIGHT_JOIN leased_blocks b FORCE INDEX (PRIMARY) ON b.lease_id = :lease AND b.block = s.block AND b.since = s.queued_at
SET b.bits = b.bits & ~s.bits
WHERE s.block IN (:blocks) AND s.settlement_id = @settlement;
UPDATE leases FORCE INDEX (PRIMARY) SET open = open - :n WHERE id = :lease;
DELETE b FROM leases l FORCE INDEX (PRIMARY) STRAIGHT_JOIN leased_blocks b FORCE INDEX (PRIMARY) ON b.lease_id = l.id WHERE l.id = :lease AND l.open = 0;
DELETE l FROM leases l FORCE INDEX (PRIMARY) WHERE l.id = :lease AND l.open = 0;
SELECT NULL, 1, :lease;
