-- Locks the lease that holds the job, so that what is read next is what was settled or heard before. A lease that came between the two
-- is not ours to judge. What is held in a block may be held by itself a moment later, and never the other way round.
SELECT max(b.lease_id) INTO @lease FROM leased_blocks b FORCE INDEX (leased_blocks_block) WHERE b.block = {{block :job}} AND (b.bits & {{bit :job}}) > 0;
SELECT coalesce(max(lease_id), @lease) INTO @lease FROM leased WHERE job_id = :job;
DELETE FROM locked;
INSERT INTO locked (id, worker_id, queue, until, claimed_at)
SELECT l.id, l.worker_id, l.queue, l.until, l.claimed_at FROM leases l FORCE INDEX (PRIMARY) WHERE l.id = @lease FOR UPDATE;
DELETE FROM unpacking_leased;
INSERT INTO unpacking_leased (job_id, lease_id) VALUES (:job, coalesce(@lease, ''));
{{unpack_leased}}
