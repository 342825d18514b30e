-- A job in one clear state, wherever its place is.
CREATE VIEW job_places AS
SELECT
  j.id, j.key, j.kind, j.queue,
  CASE WHEN w.job_id IS NOT NULL THEN w.state WHEN r.job_id IS NOT NULL THEN 'queued' WHEN f.job_id IS NOT NULL THEN f.state ELSE 'running' END AS state,
  f.reason, j.priority, j.payload,
  COALESCE(w.run_at, r.run_at, min(COALESCE((SELECT a.next_run_at FROM attempts a WHERE a.job_id = j.id AND a.next_run_at IS NOT NULL ORDER BY a.attempt DESC LIMIT 1), j.run_at), COALESCE(h.since, 9223372036854775807))) AS run_at,
  COALESCE(w.attempt, r.attempt, f.attempt, h.attempt, 0) AS attempt,
  COALESCE(w.tries, r.tries, f.tries, h.tries, 0) AS tries,
  j.max_attempts,
  COALESCE(w.losses, r.losses, f.losses, h.losses, 0) AS losses,
  COALESCE(w.run, r.run, f.run, h.run, 1) AS run,
  j.backoff, j.timeout_us, j.expires_at, j.delivery, j.tags,
  a.class, a.code, a.message,
  CASE WHEN f.state = 'succeeded' THEN COALESCE(a.result, (SELECT t.result FROM late_results t WHERE t.job_id = j.id AND t.adopted ORDER BY t.attempt DESC LIMIT 1)) END AS result,
  j.created_at,
  COALESCE(w.since, r.since, f.finished_at, l.claimed_at, j.created_at) AS updated_at,
  f.finished_at, l.worker_id, l.until, c.asked_at
FROM jobs j
LEFT JOIN waiting w ON w.job_id = j.id
LEFT JOIN ready r ON r.job_id = j.id
LEFT JOIN finished f ON f.job_id = j.id
LEFT JOIN leased h ON h.job_id = j.id
LEFT JOIN leases l ON l.id = h.lease_id
LEFT JOIN cancellations c ON c.job_id = j.id
LEFT JOIN attempts a ON a.job_id = j.id AND a.attempt = (SELECT max(x.attempt) FROM attempts x WHERE x.job_id = j.id);
