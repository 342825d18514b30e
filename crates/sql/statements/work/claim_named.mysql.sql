-- Leases these jobs as far as they can be claimed from a queue that has no limits of its own. They are looked up without a lock, and
-- locked where all lock them: by the primary key.
-- A claim is never dated before its jobs were there to be claimed, although its moment was read earlier.
DELETE FROM claiming;
DELETE FROM moving;
SELECT 0, 0 INTO @batched, @batch_since;
SELECT max(q.name) INTO @open FROM queues q WHERE {{is_open}} AND NOT EXISTS (SELECT 1 FROM leases l WHERE l.id = :lease);
INSERT INTO moving (job_id, priority, run_at)
SELECT r.job_id, r.priority, r.run_at FROM ready r FORCE INDEX (ready_job) WHERE r.job_id IN (:jobs) AND r.queue = @open;
INSERT INTO claiming (job_id, priority, run_at, expires_at, since, attempt, tries, losses, run)
SELECT r.job_id, r.priority, r.run_at, r.expires_at, r.since, r.attempt, r.tries, r.losses, r.run
FROM moving m
STRAIGHT_JOIN ready r FORCE INDEX (PRIMARY) ON r.queue = @open AND r.priority = m.priority AND r.run_at = m.run_at AND r.job_id = m.job_id
WHERE r.expires_at IS NULL OR r.expires_at > :now
FOR UPDATE SKIP LOCKED;
{{leave_ready}}
{{lease}}
{{claim_fact}}
SELECT c.job_id, :lease, {{claimed_job}}
FROM claiming c
STRAIGHT_JOIN jobs j FORCE INDEX (PRIMARY) ON j.id = c.job_id
ORDER BY c.priority, c.run_at, c.job_id;
