-- The dead letters of a campaign by cause, the most first.
SELECT d.fingerprint, coalesce(g.kind, ''), d.reason, coalesce(g.class, 'permanent'), coalesce(g.code, ''), coalesce(g.message, ''), d.sample, d.n, d.first_at, d.last_at
FROM (
  SELECT f.fingerprint, max(f.reason) AS reason, max({{as_text f.job_id}}) AS sample, count(*) AS n, min(f.finished_at) AS first_at, max(f.finished_at) AS last_at
  FROM finished f
  WHERE f.job_id >= :lowest AND f.job_id <= :highest AND f.state = 'failed' AND f.discarded_at IS NULL
  GROUP BY f.fingerprint
) d
LEFT JOIN dead_letter_groups g ON g.fingerprint = d.fingerprint
ORDER BY d.n DESC, d.fingerprint
