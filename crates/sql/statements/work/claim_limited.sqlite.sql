-- Leases the most urgent jobs of one queue within its limits; what is still wanted after those who stand alone comes from batches, the
-- last one in part.
-- A claim is never dated before its jobs were there to be claimed, although its moment was read earlier.
UPDATE queues
SET tokens = CASE WHEN rate IS NULL THEN tokens ELSE min(max(rate, 1), tokens + rate * max(0, :now - tokens_at) / 1000000.0) END,
  tokens_at = CASE WHEN :now BETWEEN tokens_at - :late AND tokens_at THEN tokens_at ELSE :now END
WHERE name = :queue;
SELECT CASE WHEN q.paused OR EXISTS (SELECT 1 FROM leases l WHERE l.id = :lease) THEN 0 ELSE max(0, min(
  :k,
  coalesce(q.max_running - (SELECT coalesce(sum(l.open), 0) FROM leases l WHERE l.queue = :queue), :k),
  CASE WHEN q.rate IS NULL THEN :k ELSE CAST(q.tokens AS integer) END)) END AS told_room
FROM queues q
WHERE q.name = :queue;
DELETE FROM claiming;
INSERT INTO claiming (job_id, priority, run_at, expires_at, since, attempt, tries, losses, run)
SELECT job_id, priority, run_at, expires_at, since, attempt, tries, losses, run
FROM ready
WHERE queue = :queue AND (expires_at IS NULL OR expires_at > :now)
ORDER BY queue, priority, run_at, job_id
LIMIT :told_room;
SELECT priority AS told_priority, run_at AS told_run_at, job_id AS told_job FROM claiming ORDER BY rowid DESC LIMIT 1;
DELETE FROM ready WHERE queue = :queue AND (priority, run_at, job_id) <= (:told_priority, :told_run_at, :told_job) AND (expires_at IS NULL OR expires_at > :now);
INSERT INTO claiming (job_id, priority, run_at, expires_at, since, attempt, tries, losses, run, batch)
SELECT job_id, priority, run_at, expires_at, since, 0, 0, 0, 1, batch
FROM batched
WHERE queue = :queue AND (expires_at IS NULL OR expires_at > :now)
ORDER BY queue, run_at, batch, job_id
LIMIT :told_room - (SELECT count(*) FROM claiming);
{{last_batch}}
{{lease}}
{{claim_fact}}
UPDATE queues SET tokens = tokens - (SELECT count(*) FROM claiming) WHERE name = :queue AND rate IS NOT NULL;
SELECT c.job_id, :lease, {{claimed_job}}
FROM claiming c
CROSS JOIN jobs j ON j.id = c.job_id
ORDER BY c.rowid;
