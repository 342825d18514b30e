-- Leases what `claiming` holds, and @batched jobs in blocks.
INSERT INTO leases (id, worker_id, queue, until, claimed_at, open)
SELECT :lease, :worker, :queue, :until, greatest(:now, coalesce(max(since), 0), @batch_since), @batched + count(*)
FROM claiming HAVING @batched + count(*) > 0;
INSERT INTO leased (job_id, lease_id, attempt, tries, losses, run, since)
SELECT job_id, :lease, attempt + 1, tries + 1, losses, run, since FROM claiming;
