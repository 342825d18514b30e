-- Makes due jobs claimable, the earliest first.
DELETE FROM moving;
INSERT INTO moving (job_id, from_state, queue, priority, run_at, expires_at, attempt, tries, losses, run)
SELECT job_id, state, queue, priority, run_at, expires_at, attempt, tries, losses, run
FROM waiting WHERE run_at <= :now AND {{picked job_id}} ORDER BY run_at, job_id LIMIT :limit;
DELETE FROM waiting WHERE job_id IN (SELECT job_id FROM moving);
INSERT INTO ready (queue, priority, run_at, job_id, expires_at, since, attempt, tries, losses, run)
SELECT queue, priority, run_at, job_id, expires_at, :now, attempt, tries, losses, run FROM moving;
INSERT INTO facts (n, type, queue, from_state, to_state, at, subjects)
SELECT count(*), 'job.queued', queue, from_state, 'queued', :now, json_group_array(job_id) FROM moving GROUP BY queue, from_state;
-- Who is due and was not taken though nobody was, is left alone.
SELECT (SELECT count(*) FROM moving), (SELECT json_group_array(json_array(m.queue, m.job_id, m.priority)) FROM moving m WHERE {{is_hinted_at m.queue}}),
  CASE WHEN EXISTS (SELECT 1 FROM moving) THEN (SELECT min(run_at) FROM waiting) ELSE (SELECT min(run_at) FROM waiting WHERE run_at > :now) END;
