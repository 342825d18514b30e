-- Deliveries of a canceled campaign that are swept next. The first of a batch stands for all of it.
SELECT job_id
FROM (
  SELECT * FROM (SELECT first AS job_id FROM ready_batches WHERE queue = :queue AND n >= 1 AND {{picked first}} LIMIT {{some_batches :limit}}) b
  UNION ALL
  SELECT * FROM (SELECT job_id FROM waiting WHERE job_id >= :lowest AND job_id <= :highest AND {{picked job_id}} ORDER BY job_id LIMIT :limit) w
  UNION ALL
  SELECT * FROM (SELECT job_id FROM ready WHERE queue = :queue AND run >= 1 AND {{picked job_id}} LIMIT :limit) r
  UNION ALL
  SELECT h.job_id FROM held h JOIN leases l ON l.id = h.lease_id WHERE l.queue = :queue AND {{picked h.job_id}}
) s
