-- Who is released next.
SELECT job_id FROM waiting WHERE run_at <= :now AND run >= 1 AND {{picked job_id}} ORDER BY run_at, job_id LIMIT :limit
