-- Leases these jobs as far as they can be claimed from a queue that has no limits of its own.
-- A claim is never dated before its jobs were there to be claimed, although its moment was read earlier.
DELETE FROM claiming;
INSERT INTO claiming (job_id, priority, run_at, expires_at, since, attempt, tries, losses, run)
SELECT job_id, priority, run_at, expires_at, since, attempt, tries, losses, run
FROM ready
WHERE job_id = :jobs
  AND queue = (SELECT q.name FROM queues q WHERE q.name = :queue AND NOT q.paused AND q.max_running IS NULL AND q.rate IS NULL
    AND NOT EXISTS (SELECT 1 FROM leases l WHERE l.id = :lease))
  AND (expires_at IS NULL OR expires_at > :now);
INSERT INTO leases (id, worker_id, queue, until, claimed_at, open)
SELECT :lease, :worker, :queue, :until, max(:now, max(since)), count(*) FROM claiming HAVING count(*) > 0;
INSERT INTO leased (job_id, lease_id, attempt, tries, losses, run, since)
SELECT job_id, :lease, attempt + 1, tries + 1, losses, run, since FROM claiming;
DELETE FROM ready WHERE job_id IN (SELECT job_id FROM claiming);
INSERT INTO facts (n, type, queue, from_state, to_state, at, subjects, attempts, data)
SELECT count(*), 'job.running', :queue, 'queued', 'running', max(:now, max(since)), json_group_array(job_id), json_group_array(attempt + 1), json_object('worker', :worker_name)
FROM claiming HAVING count(*) > 0;
SELECT c.job_id, :lease, c.attempt + 1, c.tries + 1, c.losses, c.run, c.since, j.kind, j.queue, j.payload, j.max_attempts, j.backoff, j.timeout_us, c.expires_at, j.delivery, j.created_at
FROM claiming c
CROSS JOIN jobs j ON j.id = c.job_id
ORDER BY c.priority, c.run_at, c.job_id;
