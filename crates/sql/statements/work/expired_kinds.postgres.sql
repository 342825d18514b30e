-- The kinds of jobs whose time has passed.
-- What is still in a batch steps out of it first, with all that is in it.
WITH unpacked AS (
  DELETE FROM ready_batches WHERE first = ANY (ARRAY(SELECT first FROM ready_batches WHERE expires_at <= :now AND {{picked first}} ORDER BY expires_at LIMIT {{some_batches :limit}} FOR UPDATE SKIP LOCKED))
  RETURNING queue, priority, run_at, expires_at, since, jobs, taken
)
INSERT INTO ready (queue, priority, run_at, job_id, expires_at, since, attempt, tries, losses, run)
SELECT b.queue, b.priority, b.run_at, j.job_id, b.expires_at, b.since, 0, 0, 0, 1
FROM unpacked b CROSS JOIN LATERAL unnest(b.jobs[b.taken + 1:]) AS j (job_id);
SELECT DISTINCT j.kind
FROM (
  SELECT job_id FROM (SELECT job_id FROM waiting WHERE expires_at <= :now AND {{picked job_id}} ORDER BY expires_at LIMIT :limit) w
  UNION ALL
  SELECT job_id FROM (SELECT job_id FROM ready WHERE expires_at <= :now AND {{picked job_id}} ORDER BY expires_at LIMIT :limit) r
) s
-- One at a time: statistics of a quiet moment would have every job there is looked up among those in line.
CROSS JOIN LATERAL (SELECT jobs.kind FROM jobs WHERE jobs.id = s.job_id OFFSET 0) j
