-- Leases what `claiming` holds.
INSERT INTO leases (id, worker_id, queue, until, claimed_at, open)
SELECT :lease, :worker, :queue, :until, {{greatest}}(:now, max(since)), count(*) FROM claiming HAVING count(*) > 0;
INSERT INTO leased (job_id, lease_id, attempt, tries, losses, run, since)
SELECT job_id, :lease, attempt + 1, tries + 1, losses, run, since FROM claiming;
