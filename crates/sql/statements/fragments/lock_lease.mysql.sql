-- Locks the lease that holds the job, so that what is read next is what was settled or heard before. A lease that came between the two
-- is not ours to judge.
SELECT max(lease_id) INTO @lease FROM leased WHERE job_id = :job;
DELETE FROM locked;
INSERT INTO locked (id, worker_id, queue, until, claimed_at)
SELECT l.id, l.worker_id, l.queue, l.until, l.claimed_at FROM leases l FORCE INDEX (PRIMARY) WHERE l.id = @lease FOR UPDATE;
