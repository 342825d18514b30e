-- Who expires next. The first of a batch stands for all of it.
SELECT job_id
FROM (
  SELECT * FROM (SELECT first AS job_id FROM ready_batches WHERE expires_at <= :now AND {{picked first}} ORDER BY expires_at LIMIT {{some_batches :limit}}) b
  UNION ALL
  SELECT * FROM (SELECT job_id FROM waiting WHERE expires_at <= :now AND {{picked job_id}} ORDER BY expires_at LIMIT :limit) w
  UNION ALL
  SELECT * FROM (SELECT job_id FROM ready WHERE expires_at <= :now AND {{picked job_id}} ORDER BY expires_at LIMIT :limit) r
) s
