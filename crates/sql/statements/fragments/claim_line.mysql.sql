-- Takes @most of the line: the jobs that stand before the first batch, then batches, then the jobs behind. What is before it is told by
-- one look at the batches; one that comes in meanwhile has its turn with the next claim.
SELECT coalesce(max(x.priority), 101), coalesce(max(x.run_at), 0) INTO @batch_priority, @batch_at
FROM (SELECT b.priority, b.run_at FROM ready_batches b FORCE INDEX (PRIMARY) WHERE b.queue = @open ORDER BY b.queue, b.run_at, b.first LIMIT 1) x;
INSERT INTO claiming (job_id, priority, run_at, expires_at, since, attempt, tries, losses, run)
SELECT r.job_id, r.priority, r.run_at, r.expires_at, r.since, r.attempt, r.tries, r.losses, r.run
FROM ready r FORCE INDEX (PRIMARY)
WHERE r.queue = @open AND @most > 0 AND (r.priority < @batch_priority OR r.priority = @batch_priority AND r.run_at <= @batch_at)
  AND (r.expires_at IS NULL OR r.expires_at > :now)
ORDER BY r.queue, r.priority, r.run_at, r.job_id
LIMIT :k
FOR UPDATE SKIP LOCKED;
{{take_most}}
{{claim_batches}}
SET @most = @most - @batched;
SELECT @most - count(*) INTO @room FROM claiming;
INSERT INTO claiming (job_id, priority, run_at, expires_at, since, attempt, tries, losses, run)
SELECT r.job_id, r.priority, r.run_at, r.expires_at, r.since, r.attempt, r.tries, r.losses, r.run
FROM ready r FORCE INDEX (PRIMARY)
WHERE r.queue = @open AND @room > 0 AND (r.priority > @batch_priority OR r.priority = @batch_priority AND r.run_at > @batch_at)
  AND (r.expires_at IS NULL OR r.expires_at > :now)
ORDER BY r.queue, r.priority, r.run_at, r.job_id
LIMIT :k
FOR UPDATE SKIP LOCKED;
{{take_most}}
{{leave_front}}
