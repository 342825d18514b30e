-- What a value may be stands with its type. The text of a CHECK is parsed and planned anew for each statement that writes
-- to its table, a domain's once for each connection; a job that is started at once writes to these three tables.
CREATE DOMAIN job_delivery AS text CHECK (VALUE IN ('at_least_once', 'at_most_once'));
CREATE DOMAIN job_priority AS smallint CHECK (VALUE BETWEEN -100 AND 100);
CREATE DOMAIN job_timeout AS bigint CHECK (VALUE > 0);
CREATE DOMAIN one_or_more AS integer CHECK (VALUE >= 1);

DROP VIEW job_places;
ALTER TABLE jobs
  DROP CONSTRAINT jobs_delivery_check, DROP CONSTRAINT jobs_max_attempts_check, DROP CONSTRAINT jobs_priority_check, DROP CONSTRAINT jobs_timeout_us_check,
  ALTER COLUMN delivery TYPE job_delivery, ALTER COLUMN max_attempts TYPE one_or_more, ALTER COLUMN priority TYPE job_priority,
  ALTER COLUMN timeout_us TYPE job_timeout;
ALTER TABLE leases
  DROP CONSTRAINT leases_check, DROP CONSTRAINT leases_open_check, ALTER COLUMN open TYPE one_or_more;
ALTER TABLE facts
  DROP CONSTRAINT facts_check, DROP CONSTRAINT facts_check1, DROP CONSTRAINT facts_n_check, ALTER COLUMN n TYPE one_or_more,
  -- What two columns say of each other no type can: one CHECK for both.
  ADD CONSTRAINT facts_check CHECK (num_nulls(subject, subjects) = 1 AND cardinality(subjects) = n);

CREATE VIEW job_places AS
SELECT
  j.id, j.key, j.kind, j.queue,
  CASE WHEN s.job_id IS NOT NULL THEN 'succeeded' WHEN w.job_id IS NOT NULL THEN w.state WHEN r.job_id IS NOT NULL OR b.job_id IS NOT NULL THEN 'queued' WHEN f.job_id IS NOT NULL THEN f.state ELSE 'running' END AS state,
  f.reason, j.priority, j.payload,
  COALESCE(w.run_at, r.run_at, b.run_at, least(COALESCE((SELECT a.next_run_at FROM attempts a WHERE a.job_id = j.id AND a.next_run_at IS NOT NULL ORDER BY a.attempt DESC LIMIT 1), j.run_at), COALESCE(h.since, 9223372036854775807))) AS run_at,
  COALESCE(w.attempt, r.attempt, f.attempt, h.attempt, CASE WHEN s.job_id IS NOT NULL THEN 1 END, 0) AS attempt,
  COALESCE(w.tries, r.tries, f.tries, h.tries, CASE WHEN s.job_id IS NOT NULL THEN 1 END, 0) AS tries,
  j.max_attempts,
  COALESCE(w.losses, r.losses, f.losses, h.losses, 0) AS losses,
  COALESCE(w.run, r.run, f.run, h.run, 1) AS run,
  j.backoff, j.timeout_us, j.expires_at, j.delivery, j.tags,
  a.class, a.code, a.message,
  CASE WHEN s.job_id IS NOT NULL THEN s.result WHEN f.state = 'succeeded' THEN COALESCE(a.result, (SELECT t.result FROM late_results t WHERE t.job_id = j.id AND t.adopted ORDER BY t.attempt DESC LIMIT 1)) END AS result,
  j.created_at,
  COALESCE(w.since, r.since, b.since, f.finished_at, t.ended_at, h.claimed_at, j.created_at) AS updated_at,
  COALESCE(f.finished_at, t.ended_at) AS finished_at, h.worker_id, h.until, c.asked_at
FROM jobs j
LEFT JOIN successes s ON s.job_id = j.id
LEFT JOIN settlements t ON t.id = s.settlement_id
LEFT JOIN LATERAL (SELECT * FROM waiting WHERE waiting.job_id = j.id OFFSET 0) w ON true
LEFT JOIN LATERAL (SELECT * FROM ready WHERE ready.job_id = j.id OFFSET 0) r ON true
LEFT JOIN finished f ON f.job_id = j.id
LEFT JOIN cancellations c ON c.job_id = j.id
LEFT JOIN LATERAL (
  SELECT j.id AS job_id, x.run_at, x.since
  FROM (
    SELECT * FROM bundles
    WHERE bundles.first <= j.id AND s.job_id IS NULL AND w.job_id IS NULL AND r.job_id IS NULL AND f.job_id IS NULL
    ORDER BY bundles.first DESC
    LIMIT 1
  ) x
  WHERE j.id = ANY (x.jobs[x.taken + 1:])
  OFFSET 0
) b ON true
LEFT JOIN LATERAL (
  SELECT * FROM held
  WHERE held.job_id = j.id AND s.job_id IS NULL AND w.job_id IS NULL AND r.job_id IS NULL AND f.job_id IS NULL AND b.job_id IS NULL
  OFFSET 0
) h ON true
LEFT JOIN LATERAL (
  SELECT x.class, x.code, x.message, x.result FROM attempts x WHERE x.job_id = j.id ORDER BY x.attempt DESC LIMIT 1
) a ON true;
