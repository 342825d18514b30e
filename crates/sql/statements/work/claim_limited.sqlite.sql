-- Leases the most urgent jobs of one queue within its limits; what is still wanted after those who stand alone comes from bundles, the
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
INSERT INTO claiming (job_id, priority, run_at, expires_at, since, attempt, tries, losses, run, bundle)
SELECT job_id, priority, run_at, expires_at, since, 0, 0, 0, 1, bundle
FROM bundled
WHERE queue = :queue AND (expires_at IS NULL OR expires_at > :now)
ORDER BY queue, run_at, bundle, job_id
LIMIT :told_room - (SELECT count(*) FROM claiming);
SELECT bundle AS told_bundle, run_at AS told_at, job_id AS told_last FROM (SELECT bundle, run_at, job_id FROM claiming ORDER BY rowid DESC LIMIT 1) WHERE bundle IS NOT NULL;
DELETE FROM bundles
WHERE queue = :queue AND (run_at, first) <= (:told_at, :told_bundle) AND (first <> :told_bundle OR last = :told_last) AND (expires_at IS NULL OR expires_at > :now);
UPDATE bundles
SET n = n - (SELECT count(*) FROM claiming WHERE bundle = :told_bundle),
  first = (SELECT j.id FROM jobs j
    WHERE j.id > :told_last AND j.id <= bundles.last AND j.run_at = bundles.run_at AND j.queue = bundles.queue
      AND NOT EXISTS (SELECT 1 FROM finished f WHERE f.job_id = j.id)
    ORDER BY j.id LIMIT 1)
WHERE first = :told_bundle;
INSERT INTO leases (id, worker_id, queue, until, claimed_at, open)
SELECT :lease, :worker, :queue, :until, max(:now, max(since)), count(*) FROM claiming HAVING count(*) > 0;
INSERT INTO leased (job_id, lease_id, attempt, tries, losses, run, since)
SELECT job_id, :lease, attempt + 1, tries + 1, losses, run, since FROM claiming;
INSERT INTO facts (n, type, queue, from_state, to_state, at, subjects, attempts, data)
SELECT count(*), 'job.running', :queue, 'queued', 'running', max(:now, max(since)), json_group_array(job_id), json_group_array(attempt + 1), json_object('worker', :worker_name)
FROM claiming HAVING count(*) > 0;
UPDATE queues SET tokens = tokens - (SELECT count(*) FROM claiming) WHERE name = :queue AND rate IS NOT NULL;
SELECT c.job_id, :lease, c.attempt + 1, c.tries + 1, c.losses, c.run, c.since, j.kind, j.queue, j.payload, j.max_attempts, j.backoff, j.timeout_us, c.expires_at, j.delivery, j.created_at
FROM claiming c
CROSS JOIN jobs j ON j.id = c.job_id
ORDER BY c.rowid;
