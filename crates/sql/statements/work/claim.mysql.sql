-- Leases the most urgent jobs of a queue that has no limits of its own, as far as nobody else has them in hand. They are locked and
-- deleted by the primary key, in which all come to them; what is still wanted then comes from batches.
-- A claim is never dated before its jobs were there to be claimed, although its moment was read earlier.
DELETE FROM claiming;
SELECT max(q.name) INTO @open FROM queues q WHERE {{is_open}} AND NOT EXISTS (SELECT 1 FROM leases l WHERE l.id = :lease);
INSERT INTO claiming (job_id, priority, run_at, expires_at, since, attempt, tries, losses, run)
SELECT r.job_id, r.priority, r.run_at, r.expires_at, r.since, r.attempt, r.tries, r.losses, r.run
FROM ready r FORCE INDEX (PRIMARY)
WHERE r.queue = @open AND (r.expires_at IS NULL OR r.expires_at > :now)
ORDER BY r.queue, r.priority, r.run_at, r.job_id
LIMIT :k
FOR UPDATE SKIP LOCKED;
{{leave_front}}
SELECT :k - count(*) INTO @room FROM claiming;
{{claim_batches}}
{{lease}}
{{claim_fact}}
SELECT c.job_id, :lease, {{claimed_job}}
FROM claiming c
STRAIGHT_JOIN jobs j FORCE INDEX (PRIMARY) ON j.id = c.job_id
ORDER BY c.batch IS NOT NULL, c.priority, c.run_at, c.batch, c.job_id;
