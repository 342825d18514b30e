-- Leases the most urgent jobs of a queue that has no limits of its own. They are the head of its line,
-- but for those that have expired, so they leave it as one range: looking each of them up costs twice that.
-- What is still wanted then comes from batches, the last one in part.
-- A claim is never dated before its jobs were there to be claimed, although its moment was read earlier.
DELETE FROM claiming;
INSERT INTO claiming (job_id, priority, run_at, expires_at, since, attempt, tries, losses, run)
SELECT job_id, priority, run_at, expires_at, since, attempt, tries, losses, run
FROM ready
WHERE queue = (SELECT q.name FROM queues q WHERE {{is_open}}
      AND NOT EXISTS (SELECT 1 FROM leases l WHERE l.id = :lease))
  AND (expires_at IS NULL OR expires_at > :now)
ORDER BY queue, priority, run_at, job_id
LIMIT :k;
SELECT priority AS told_priority, run_at AS told_run_at, job_id AS told_job FROM claiming ORDER BY rowid DESC LIMIT 1;
DELETE FROM ready WHERE queue = :queue AND (priority, run_at, job_id) <= (:told_priority, :told_run_at, :told_job) AND (expires_at IS NULL OR expires_at > :now);
SELECT :k - count(*) AS told_room FROM claiming
HAVING count(*) < :k AND EXISTS (SELECT 1 FROM ready_batches b
  WHERE b.queue = (SELECT q.name FROM queues q WHERE {{is_open}}
      AND NOT EXISTS (SELECT 1 FROM leases l WHERE l.id = :lease)));
INSERT INTO claiming (job_id, priority, run_at, expires_at, since, attempt, tries, losses, run, batch)
SELECT job_id, priority, run_at, expires_at, since, 0, 0, 0, 1, batch
FROM batched
WHERE queue = :queue AND (expires_at IS NULL OR expires_at > :now)
ORDER BY queue, run_at, batch, job_id
LIMIT :told_room;
{{last_batch}}
{{lease}}
{{claim_fact}}
SELECT c.job_id, :lease, {{claimed_job}}
FROM claiming c
CROSS JOIN jobs j ON j.id = c.job_id
ORDER BY c.rowid;
