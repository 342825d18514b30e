-- The kinds of jobs whose time has passed.
-- What is still in a batch steps out of it first, with all that is in it.
DELETE FROM unpacking;
INSERT INTO unpacking (first, last, queue, priority, run_at, expires_at, since)
SELECT b.first, b.last, b.queue, b.priority, b.run_at, b.expires_at, b.since
FROM ready_batches b FORCE INDEX (ready_batches_expiry)
WHERE b.expires_at <= :now AND {{picked b.first}}
ORDER BY b.expires_at
LIMIT {{some_batches :limit}}
FOR UPDATE SKIP LOCKED;
{{unpack}}
SELECT DISTINCT j.kind
FROM (
  SELECT job_id FROM (SELECT job_id FROM waiting WHERE expires_at <= :now AND {{picked job_id}} ORDER BY expires_at LIMIT :limit) w
  UNION ALL
  SELECT job_id FROM (SELECT job_id FROM ready WHERE expires_at <= :now AND {{picked job_id}} ORDER BY expires_at LIMIT :limit) r
) s
STRAIGHT_JOIN jobs j FORCE INDEX (PRIMARY) ON j.id = s.job_id;
