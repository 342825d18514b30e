-- Leases the most urgent jobs of one queue within its limits. The queue's row is locked first, so
-- that what others run is counted as it is.
-- Who asks late, with an old reading of the clock, gains nothing and spends of what there is; a clock that was put back is followed.
-- A claim is never dated before its jobs were there to be claimed, although its moment was read earlier.
UPDATE queues
SET tokens = CASE WHEN rate IS NULL THEN tokens ELSE least(greatest(rate, 1), tokens + rate * greatest(0, :now - tokens_at) / 1000000.0) END,
  tokens_at = CASE WHEN :now BETWEEN tokens_at - :late AND tokens_at THEN tokens_at ELSE :now END
WHERE name = :queue;
WITH allowed AS MATERIALIZED (
  SELECT CASE WHEN q.paused OR EXISTS (SELECT 1 FROM leases l WHERE l.id = :lease) THEN 0 ELSE greatest(0, least(
    :k::bigint,
    coalesce(q.max_running - (SELECT coalesce(sum(l.open), 0) FROM leases l WHERE l.queue = :queue), :k::bigint),
    CASE WHEN q.rate IS NULL THEN :k::bigint ELSE floor(q.tokens)::bigint END)) END AS k
  FROM queues q
  WHERE q.name = :queue
), taken_singles AS (
  DELETE FROM ready
  WHERE ctid = ANY (ARRAY(
    SELECT r.ctid
    FROM ready r
    WHERE r.queue = :queue AND r.run >= 1 AND (r.expires_at IS NULL OR r.expires_at > :now)
    ORDER BY r.queue, r.priority, r.run_at, r.job_id
    LIMIT (SELECT k FROM allowed)
    FOR UPDATE SKIP LOCKED))
  RETURNING priority, run_at, job_id, expires_at, since, attempt, tries, losses, run
), batches AS MATERIALIZED (
  -- Then from batches, as many as are still wanted, the last one in part; whoever else claims has the next one. Only campaigns
  -- have batches, and all that stands in their lines has one priority.
  SELECT l.*, least(l.n - l.taken, l.room - (sum(l.n - l.taken) OVER (ORDER BY l.run_at, l.first) - (l.n - l.taken)))::integer AS takes
  FROM (
    SELECT x.first, x.priority, x.run_at, x.expires_at, x.since, x.n, x.taken, x.jobs, (SELECT k FROM allowed) - (SELECT count(*) FROM taken_singles) AS room
    FROM ready_batches x
    WHERE x.queue = :queue AND x.n >= 1
      AND (SELECT k FROM allowed) > (SELECT count(*) FROM taken_singles)
      AND (x.expires_at IS NULL OR x.expires_at > :now)
    ORDER BY x.queue, x.run_at, x.first
    LIMIT 4 + (SELECT k FROM allowed) / 250
    FOR UPDATE SKIP LOCKED) l
), shrunk_batches AS (
  UPDATE ready_batches SET taken = ready_batches.taken + b.takes FROM batches b WHERE ready_batches.first = b.first AND b.takes > 0 AND b.takes < b.n - b.taken
), emptied_batches AS (
  DELETE FROM ready_batches USING batches b WHERE ready_batches.first = b.first AND b.takes = b.n - b.taken
), claimed AS (
  SELECT * FROM taken_singles
  UNION ALL
  SELECT b.priority, b.run_at, j.job_id, b.expires_at, b.since, 0, 0, 0, 1
  FROM batches b CROSS JOIN LATERAL unnest(b.jobs[b.taken + 1 : b.taken + b.takes]) AS j (job_id)
  WHERE b.takes > 0
), {{lease}}
SELECT c.job_id, :lease::uuid AS lease_id, {{claimed_job}},
  {{call_once}}
-- Sorted while it is narrow. The planner may not choose another join than a look-up of each in turn, which keeps the order.
FROM (SELECT * FROM claimed ORDER BY priority, run_at, job_id OFFSET 0) c
CROSS JOIN LATERAL (SELECT * FROM jobs WHERE jobs.id = c.job_id OFFSET 0) j;
UPDATE queues
SET tokens = tokens - coalesce((SELECT l.open FROM leases l WHERE l.id = :lease AND l.xmin = pg_current_xact_id()::xid), 0)
WHERE name = :queue AND rate IS NOT NULL
