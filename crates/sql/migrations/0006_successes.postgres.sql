-- Most attempts are the first of their job and succeed. Each is one narrow row, and what a batch of them
-- has in common is one row for all; every other end has a row of its own in `attempts`.
CREATE TABLE settlements (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  worker_id uuid NOT NULL,
  leases uuid[] NOT NULL,
  claimed_at bigint[] NOT NULL,
  ended_at bigint NOT NULL,
  CHECK (cardinality(leases) = cardinality(claimed_at))
);
CREATE INDEX settlements_ended_at ON settlements (ended_at);

-- A place: the end, by a first attempt that succeeded. Insert-only, so that a second result cannot exist.
CREATE TABLE successes (
  job_id uuid PRIMARY KEY,
  settlement_id bigint NOT NULL,
  lease smallint NOT NULL CHECK (lease >= 1),
  queued_at bigint NOT NULL,
  started_at bigint,
  result text
);

-- Ids are drawn by chance: to compress them costs time and saves little.
ALTER TABLE leases ALTER COLUMN jobs SET STORAGE EXTERNAL;
ALTER TABLE facts ALTER COLUMN subjects SET STORAGE EXTERNAL;

-- The counters of a batch of first attempts go without saying.
ALTER TABLE leases ALTER COLUMN attempts DROP NOT NULL, ALTER COLUMN tries DROP NOT NULL, ALTER COLUMN losses DROP NOT NULL, ALTER COLUMN runs DROP NOT NULL,
  ADD CHECK (num_nulls(attempts, tries, losses, runs) IN (0, 4));

-- Every attempt that has ended.
CREATE VIEW results AS
SELECT job_id, attempt, run, lease_id, worker_id, queued_at, claimed_at, started_at, ended_at, cancel_asked_at, outcome, state, reason,
  next_run_at, tries, losses, class, code, message, fingerprint, result
FROM attempts
UNION ALL
SELECT s.job_id, 1, 1, t.leases[s.lease], t.worker_id, s.queued_at, t.claimed_at[s.lease], s.started_at, t.ended_at, NULL, 'succeeded', 'succeeded', NULL,
  NULL, 1, 0, NULL, NULL, NULL, NULL, s.result
FROM successes s
JOIN settlements t ON t.id = s.settlement_id;

CREATE OR REPLACE VIEW held AS
SELECT u.job_id, l.id AS lease_id, l.worker_id, l.queue, l.until, l.claimed_at, COALESCE(u.attempt, 1) AS attempt, COALESCE(u.tries, 1) AS tries,
  COALESCE(u.losses, 0) AS losses, COALESCE(u.run, 1) AS run, u.since
FROM leases l
CROSS JOIN LATERAL unnest(l.jobs, l.attempts, l.tries, l.losses, l.runs, l.since) AS u (job_id, attempt, tries, losses, run, since)
WHERE NOT EXISTS (SELECT 1 FROM attempts a WHERE a.job_id = u.job_id AND a.attempt = COALESCE(u.attempt, 1) OFFSET 0)
  AND NOT EXISTS (SELECT 1 FROM successes s WHERE s.job_id = u.job_id OFFSET 0);

CREATE OR REPLACE VIEW job_places AS
SELECT
  j.id, j.key, j.kind, j.queue,
  CASE WHEN s.job_id IS NOT NULL THEN 'succeeded' WHEN w.job_id IS NOT NULL THEN w.state WHEN r.job_id IS NOT NULL THEN 'queued' WHEN f.job_id IS NOT NULL THEN f.state ELSE 'running' END AS state,
  f.reason, j.priority, j.payload,
  COALESCE(w.run_at, r.run_at, least(COALESCE((SELECT a.next_run_at FROM attempts a WHERE a.job_id = j.id AND a.next_run_at IS NOT NULL ORDER BY a.attempt DESC LIMIT 1), j.run_at), COALESCE(h.since, 9223372036854775807))) AS run_at,
  COALESCE(w.attempt, r.attempt, f.attempt, h.attempt, CASE WHEN s.job_id IS NOT NULL THEN 1 END, 0) AS attempt,
  COALESCE(w.tries, r.tries, f.tries, h.tries, CASE WHEN s.job_id IS NOT NULL THEN 1 END, 0) AS tries,
  j.max_attempts,
  COALESCE(w.losses, r.losses, f.losses, h.losses, 0) AS losses,
  COALESCE(w.run, r.run, f.run, h.run, 1) AS run,
  j.backoff, j.timeout_us, j.expires_at, j.delivery, j.tags,
  a.class, a.code, a.message,
  CASE WHEN s.job_id IS NOT NULL THEN s.result WHEN f.state = 'succeeded' THEN COALESCE(a.result, (SELECT t.result FROM late_results t WHERE t.job_id = j.id AND t.adopted ORDER BY t.attempt DESC LIMIT 1)) END AS result,
  j.created_at,
  COALESCE(w.since, r.since, f.finished_at, t.ended_at, h.claimed_at, j.created_at) AS updated_at,
  COALESCE(f.finished_at, t.ended_at) AS finished_at, h.worker_id, h.until, c.asked_at
FROM jobs j
LEFT JOIN successes s ON s.job_id = j.id
LEFT JOIN settlements t ON t.id = s.settlement_id
LEFT JOIN waiting w ON w.job_id = j.id
LEFT JOIN ready r ON r.job_id = j.id
LEFT JOIN finished f ON f.job_id = j.id
LEFT JOIN cancellations c ON c.job_id = j.id
LEFT JOIN LATERAL (
  SELECT * FROM held
  WHERE held.job_id = j.id AND s.job_id IS NULL AND w.job_id IS NULL AND r.job_id IS NULL AND f.job_id IS NULL
  OFFSET 0
) h ON true
LEFT JOIN LATERAL (
  SELECT x.class, x.code, x.message, x.result FROM attempts x WHERE x.job_id = j.id ORDER BY x.attempt DESC LIMIT 1
) a ON true;
