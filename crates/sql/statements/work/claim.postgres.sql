-- Leases the most urgent jobs of a queue that has no limits of its own. The places are found by an
-- array of row addresses: rows of `ready` are never updated, and no join is left to the planner.
-- A claim is never dated before its jobs were there to be claimed, although its moment was read earlier.
WITH open_queue AS MATERIALIZED (
  SELECT q.name FROM queues q WHERE {{is_open}}
    AND NOT EXISTS (SELECT 1 FROM leases l WHERE l.id = :lease)
), taken_singles AS (
  DELETE FROM ready
  WHERE ctid = ANY (ARRAY(
    SELECT r.ctid
    FROM ready r
    WHERE r.queue = (SELECT name FROM open_queue) AND r.run >= 1
      AND (r.expires_at IS NULL OR r.expires_at > :now)
    ORDER BY r.queue, r.priority, r.run_at, r.job_id
    LIMIT :k
    FOR UPDATE SKIP LOCKED))
  RETURNING priority, run_at, job_id, expires_at, since, attempt, tries, losses, run
), batches AS MATERIALIZED (
  -- Then from batches, as many as are still wanted, the last one in part; whoever else claims has the next one. Only campaigns
  -- have batches, and all that stands in their lines has one priority.
  SELECT l.*, least(l.n - l.taken, l.room - (sum(l.n - l.taken) OVER (ORDER BY l.run_at, l.first) - (l.n - l.taken)))::integer AS takes
  FROM (
    SELECT x.first, x.priority, x.run_at, x.expires_at, x.since, x.n, x.taken, x.jobs, x.payloads, :k::bigint - (SELECT count(*) FROM taken_singles) AS room
    FROM ready_batches x
    WHERE x.queue = (SELECT name FROM open_queue) AND x.n >= 1
      AND :k::bigint > (SELECT count(*) FROM taken_singles)
      AND (x.expires_at IS NULL OR x.expires_at > :now)
    ORDER BY x.queue, x.run_at, x.first
    LIMIT 4 + :k::bigint / 250
    FOR UPDATE SKIP LOCKED) l
), shrunk_batches AS (
  UPDATE ready_batches SET taken = ready_batches.taken + b.takes FROM batches b WHERE ready_batches.first = b.first AND b.takes > 0 AND b.takes < b.n - b.taken
), emptied_batches AS (
  DELETE FROM ready_batches USING batches b WHERE ready_batches.first = b.first AND b.takes = b.n - b.taken
), taken_batches AS MATERIALIZED (
  SELECT run_at, first, expires_at, since, jobs[taken + 1 : taken + takes] AS jobs, payloads[taken + 1 : taken + takes] AS payloads FROM batches WHERE takes > 0
), claimed AS (
  SELECT job_id, since, attempt, tries, losses, run FROM taken_singles
  UNION ALL
  SELECT j.job_id, t.since, 0, 0, 0, 1 FROM taken_batches t CROSS JOIN LATERAL unnest(t.jobs) AS j (job_id)
), {{lease}}
SELECT c.job_id, :lease::uuid AS lease_id, {{claimed_job}},
  {{call_once}}, NULL::uuid[] AS jobs, NULL::text[] AS payloads
-- Sorted while it is narrow. The planner may not choose another join than a look-up of each in turn, which keeps the order.
FROM (SELECT * FROM taken_singles ORDER BY priority, run_at, job_id OFFSET 0) c
CROSS JOIN LATERAL (SELECT * FROM jobs WHERE jobs.id = c.job_id OFFSET 0) j
UNION ALL
-- A row for each batch: what its jobs have in common is read from the first of those that are claimed, as those before
-- it may be forgotten by now.
SELECT t.jobs[1], :lease::uuid, 1, 1, 0, 1, t.since, {{told_of_job}}, t.expires_at,
  {{call_once}}, t.jobs, t.payloads
FROM (SELECT * FROM taken_batches ORDER BY run_at, first OFFSET 0) t
CROSS JOIN LATERAL (SELECT * FROM jobs WHERE jobs.id = t.jobs[1] OFFSET 0) j
