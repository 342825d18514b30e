-- Makes due jobs claimable, the earliest first.
WITH due AS (
  DELETE FROM waiting
  WHERE job_id = ANY (ARRAY(
    SELECT w.job_id FROM waiting w WHERE w.run_at <= :now AND w.run >= 1 AND {{picked w.job_id}} ORDER BY w.run_at, w.job_id LIMIT :limit FOR UPDATE SKIP LOCKED))
  RETURNING job_id, state, queue, priority, run_at, expires_at, attempt, tries, losses, run
), new_ready AS (
  INSERT INTO ready (queue, priority, run_at, job_id, expires_at, since, attempt, tries, losses, run)
  SELECT queue, priority, run_at, job_id, expires_at, :now, attempt, tries, losses, run FROM due
), told AS (
  INSERT INTO facts (n, type, queue, from_state, to_state, at, subjects)
  SELECT count(*), 'job.queued', queue, state, 'queued', :now, array_agg(job_id) FROM due GROUP BY queue, state
)
-- The next one stands behind the last that was taken; who was skipped is being taken by another.
SELECT (SELECT count(*) FROM due),
  (SELECT coalesce(json_agg(json_build_array(m.queue, m.job_id, m.priority) ORDER BY m.run_at, m.job_id)::text, '[]') FROM due m WHERE {{is_hinted_at m.queue}}),
  CASE WHEN EXISTS (SELECT 1 FROM due) THEN (
    SELECT w.run_at FROM waiting w
    WHERE w.run >= 1 AND (w.run_at, w.job_id) > (SELECT m.run_at, m.job_id FROM due m ORDER BY m.run_at DESC, m.job_id DESC LIMIT 1)
    ORDER BY w.run_at, w.job_id LIMIT 1)
  ELSE (SELECT min(w.run_at) FROM waiting w WHERE w.run_at > :now AND w.run >= 1) END
