-- Makes due jobs claimable, the earliest first.
WITH m AS (
  DELETE FROM waiting
  WHERE job_id = ANY (ARRAY(
    SELECT w.job_id FROM waiting w WHERE w.run_at <= :now ORDER BY w.run_at, w.job_id LIMIT :limit FOR UPDATE SKIP LOCKED))
  RETURNING job_id, state, queue, priority, run_at, expires_at, attempt, tries, losses, run
), r AS (
  INSERT INTO ready (queue, priority, run_at, job_id, expires_at, since, attempt, tries, losses, run)
  SELECT queue, priority, run_at, job_id, expires_at, :now, attempt, tries, losses, run FROM m
), f AS (
  INSERT INTO facts (n, type, queue, from_state, to_state, at, subjects)
  SELECT count(*), 'job.queued', queue, state, 'queued', :now, array_agg(job_id) FROM m GROUP BY queue, state
)
SELECT (SELECT count(*) FROM m), (SELECT min(run_at) FROM waiting WHERE run_at > :now)
