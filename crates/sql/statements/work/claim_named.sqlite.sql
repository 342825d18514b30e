-- Leases these jobs as far as they can be claimed from a queue that has no limits of its own.
-- A claim is never dated before its jobs were there to be claimed, although its moment was read earlier.
DELETE FROM claiming;
INSERT INTO claiming (job_id, priority, run_at, expires_at, since, attempt, tries, losses, run)
SELECT job_id, priority, run_at, expires_at, since, attempt, tries, losses, run
FROM ready
WHERE job_id = :jobs
  AND queue = (SELECT q.name FROM queues q WHERE {{is_open}}
    AND NOT EXISTS (SELECT 1 FROM leases l WHERE l.id = :lease))
  AND (expires_at IS NULL OR expires_at > :now);
{{lease}}
DELETE FROM ready WHERE job_id IN (SELECT job_id FROM claiming);
{{claim_fact}}
SELECT c.job_id, :lease, {{claimed_job}}
FROM claiming c
CROSS JOIN jobs j ON j.id = c.job_id
ORDER BY c.priority, c.run_at, c.job_id;
