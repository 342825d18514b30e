-- Oldest program: 1
-- What stands in several tables, in one row. All views are made anew here, so that each is said once: a change is made in this file,
-- which then takes the next number.
DROP VIEW IF EXISTS job_places;
DROP VIEW IF EXISTS held;
DROP VIEW IF EXISTS results;

-- Every attempt that has ended.
CREATE VIEW results AS
SELECT job_id, attempt, run, lease_id, worker_id, queued_at, claimed_at, started_at, ended_at, cancel_asked_at, outcome, state, reason,
  next_run_at, tries, losses, class, code, message, fingerprint, result
FROM attempts
UNION ALL
SELECT s.job_id, 1, 1, t.leases[s.lease], t.worker_id, s.queued_at, t.claimed_at[s.lease], s.started_at, t.ended_at, NULL, 'succeeded', 'succeeded', NULL,
  NULL, 1, 0, NULL, NULL, NULL, NULL, s.result
FROM successes s
JOIN settlements t ON t.id = s.settlement_id
UNION ALL
SELECT j.id, 1, 1, k.lease_id, k.worker_id, k.queued_ats[k.place], k.claimed_at, k.started_ats[k.place], k.ended_at, NULL, 'succeeded', 'succeeded', NULL,
  NULL, 1, 0, NULL, NULL, NULL, NULL, k.results[k.place]
FROM jobs j
CROSS JOIN LATERAL (
  SELECT x.*, width_bucket(j.id, x.jobs) AS place
  FROM (SELECT * FROM success_batches WHERE first <= j.id ORDER BY first DESC LIMIT 1) x
  WHERE x.last >= j.id
  OFFSET 0
) k
WHERE k.jobs[k.place] = j.id;

-- What is leased and not recorded yet. The fences (OFFSET) keep attempts from being joined as a whole: they are looked up one by one.
CREATE VIEW held AS
SELECT u.job_id, l.id AS lease_id, l.worker_id, l.queue, l.until, l.claimed_at, COALESCE(u.attempt, 1) AS attempt, COALESCE(u.tries, 1) AS tries,
  COALESCE(u.losses, 0) AS losses, COALESCE(u.run, 1) AS run, u.since
FROM leases l
CROSS JOIN LATERAL (
  SELECT cardinality(l.jobs) - l.open = coalesce(sum(upper(r) - lower(r)), 0) AS is_all FROM unnest(l.done) AS r
) d
CROSS JOIN LATERAL unnest(l.jobs, l.attempts, l.tries, l.losses, l.runs, l.since) WITH ORDINALITY AS u (job_id, attempt, tries, losses, run, since, place)
WHERE CASE
    WHEN d.is_all THEN NOT l.done @> u.place::integer
    ELSE NOT EXISTS (SELECT 1 FROM attempts a WHERE a.job_id = u.job_id AND a.attempt = COALESCE(u.attempt, 1) OFFSET 0)
      AND NOT EXISTS (SELECT 1 FROM successes s WHERE s.job_id = u.job_id OFFSET 0)
      AND NOT EXISTS (
        SELECT 1 FROM (SELECT last, jobs FROM success_batches WHERE first <= u.job_id ORDER BY first DESC LIMIT 1) k
        WHERE k.last >= u.job_id AND k.jobs[width_bucket(u.job_id, k.jobs)] = u.job_id
        OFFSET 0)
  END;

-- A job in one clear state, wherever its place is. What the planner may join, it joins as a whole: leases, attempts and places
-- that are empty at times stand behind a fence, so that they are asked about one job at a time.
CREATE VIEW job_places AS
SELECT
  j.id, j.key, j.kind, j.queue,
  CASE WHEN s.job_id IS NOT NULL OR k.ended_at IS NOT NULL THEN 'succeeded' WHEN w.job_id IS NOT NULL THEN w.state WHEN r.job_id IS NOT NULL OR b.job_id IS NOT NULL THEN 'queued' WHEN f.job_id IS NOT NULL THEN f.state ELSE 'running' END AS state,
  f.reason, j.priority, j.payload,
  COALESCE(w.run_at, r.run_at, b.run_at, least(COALESCE((SELECT a.next_run_at FROM attempts a WHERE a.job_id = j.id AND a.next_run_at IS NOT NULL ORDER BY a.attempt DESC LIMIT 1), j.run_at), COALESCE(h.since, 9223372036854775807))) AS run_at,
  COALESCE(w.attempt, r.attempt, f.attempt, h.attempt, CASE WHEN s.job_id IS NOT NULL OR k.ended_at IS NOT NULL THEN 1 END, 0) AS attempt,
  COALESCE(w.tries, r.tries, f.tries, h.tries, CASE WHEN s.job_id IS NOT NULL OR k.ended_at IS NOT NULL THEN 1 END, 0) AS tries,
  j.max_attempts,
  COALESCE(w.losses, r.losses, f.losses, h.losses, 0) AS losses,
  COALESCE(w.run, r.run, f.run, h.run, 1) AS run,
  j.backoff, j.timeout_us, j.expires_at, j.delivery, j.tags,
  a.class, a.code, a.message,
  CASE WHEN s.job_id IS NOT NULL THEN s.result WHEN k.ended_at IS NOT NULL THEN k.result WHEN f.state = 'succeeded' THEN COALESCE(a.result, (SELECT t.result FROM late_results t WHERE t.job_id = j.id AND t.adopted ORDER BY t.attempt DESC LIMIT 1)) END AS result,
  j.created_at,
  COALESCE(w.since, r.since, b.since, f.finished_at, t.ended_at, k.ended_at, h.claimed_at, j.created_at) AS updated_at,
  COALESCE(f.finished_at, t.ended_at, k.ended_at) AS finished_at, h.worker_id, h.until, c.asked_at
FROM jobs j
LEFT JOIN successes s ON s.job_id = j.id
LEFT JOIN settlements t ON t.id = s.settlement_id
LEFT JOIN LATERAL (
  SELECT x.ended_at, x.results[x.place] AS result
  FROM (
    SELECT y.*, width_bucket(j.id, y.jobs) AS place
    FROM (SELECT * FROM success_batches WHERE success_batches.first <= j.id AND s.job_id IS NULL ORDER BY success_batches.first DESC LIMIT 1) y
    WHERE y.last >= j.id
    OFFSET 0
  ) x
  WHERE x.jobs[x.place] = j.id
  OFFSET 0
) k ON true
LEFT JOIN LATERAL (SELECT * FROM waiting WHERE waiting.job_id = j.id OFFSET 0) w ON true
LEFT JOIN LATERAL (SELECT * FROM ready WHERE ready.job_id = j.id OFFSET 0) r ON true
LEFT JOIN finished f ON f.job_id = j.id
LEFT JOIN cancellations c ON c.job_id = j.id
LEFT JOIN LATERAL (
  SELECT j.id AS job_id, x.run_at, x.since
  FROM (
    SELECT * FROM ready_batches
    WHERE ready_batches.first <= j.id AND s.job_id IS NULL AND k.ended_at IS NULL AND w.job_id IS NULL AND r.job_id IS NULL AND f.job_id IS NULL
    ORDER BY ready_batches.first DESC
    LIMIT 1
  ) x
  WHERE j.id = ANY (x.jobs[x.taken + 1:])
  OFFSET 0
) b ON true
LEFT JOIN LATERAL (
  SELECT * FROM held
  WHERE held.job_id = j.id AND s.job_id IS NULL AND k.ended_at IS NULL AND w.job_id IS NULL AND r.job_id IS NULL AND f.job_id IS NULL AND b.job_id IS NULL
  OFFSET 0
) h ON true
LEFT JOIN LATERAL (
  SELECT x.class, x.code, x.message, x.result FROM attempts x WHERE x.job_id = j.id ORDER BY x.attempt DESC LIMIT 1
) a ON true;
