-- Leases the most urgent jobs of one queue within its limits.
-- A claim is never dated before its jobs were there to be claimed, although its moment was read earlier.
UPDATE queues
SET tokens = CASE WHEN rate IS NULL THEN tokens ELSE min(max(rate, 1), tokens + rate * (:now - tokens_at) / 1000000.0) END, tokens_at = :now
WHERE name = :queue;
DELETE FROM moving;
INSERT INTO moving (job_id, lease_id, queue, priority, run_at, expires_at, since, attempt, tries, losses, run)
SELECT job_id, :lease, queue, priority, run_at, expires_at, since, attempt, tries, losses, run
FROM ready
WHERE queue = :queue AND (expires_at IS NULL OR expires_at > :now)
ORDER BY queue, priority, run_at, job_id
LIMIT (
  SELECT CASE WHEN q.paused OR EXISTS (SELECT 1 FROM leases l WHERE l.id = :lease) THEN 0 ELSE max(0, min(
    :k,
    coalesce(q.max_running - (SELECT coalesce(sum(l.open), 0) FROM leases l WHERE l.queue = :queue), :k),
    CASE WHEN q.rate IS NULL THEN :k ELSE CAST(q.tokens AS integer) END)) END
  FROM queues q
  WHERE q.name = :queue);
INSERT INTO leases (id, worker_id, queue, until, claimed_at, open)
SELECT lease_id, :worker, queue, :until, max(:now, max(since)), count(*) FROM moving GROUP BY lease_id, queue;
INSERT INTO leased (job_id, lease_id, attempt, tries, losses, run, since)
SELECT job_id, lease_id, attempt + 1, tries + 1, losses, run, since FROM moving;
DELETE FROM ready WHERE job_id IN (SELECT job_id FROM moving);
INSERT INTO facts (n, type, queue, from_state, to_state, at, subjects, attempts, data)
SELECT count(*), 'job.running', queue, 'queued', 'running', max(:now, max(since)), json_group_array(job_id), json_group_array(attempt + 1), json_object('worker', :worker_name)
FROM moving GROUP BY queue, lease_id;
UPDATE queues SET tokens = tokens - (SELECT count(*) FROM moving) WHERE name = :queue AND rate IS NOT NULL;
SELECT c.job_id, c.lease_id, c.attempt + 1, c.tries + 1, c.losses, c.run, c.since, j.kind, c.queue, j.payload, j.max_attempts, j.backoff, j.timeout_us, c.expires_at, j.delivery, j.created_at
FROM moving c
CROSS JOIN jobs j ON j.id = c.job_id
ORDER BY c.queue, c.priority, c.run_at, c.job_id;
