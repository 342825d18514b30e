-- The kinds of jobs whose time has passed.
SELECT DISTINCT j.kind
FROM (
  SELECT job_id FROM (SELECT job_id FROM waiting WHERE expires_at <= :now ORDER BY expires_at LIMIT :limit) w
  UNION ALL
  SELECT job_id FROM (SELECT job_id FROM ready WHERE expires_at <= :now ORDER BY expires_at LIMIT :limit) r
) s
JOIN jobs j ON j.id = s.job_id
