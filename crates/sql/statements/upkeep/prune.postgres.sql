-- Forgets terminal jobs that finished long ago, with all that is known of them, their keys included. A dead letter that
-- goes is a fact, so that the counters follow.
WITH m AS (
  DELETE FROM finished
  WHERE job_id = ANY (ARRAY(
    SELECT job_id FROM finished WHERE job_id < :bound AND finished_at < :cutoff ORDER BY job_id LIMIT :limit FOR UPDATE SKIP LOCKED))
  RETURNING job_id, state, fingerprint, discarded_at
), f AS (
  INSERT INTO facts (n, type, queue, from_state, at, subjects, items)
  SELECT count(*), 'job.pruned', j.queue, 'failed', :now, array_agg(m.job_id),
    json_agg(json_build_object('was', CASE WHEN m.discarded_at IS NULL THEN m.fingerprint END))::text
  FROM m JOIN jobs j ON j.id = m.job_id
  WHERE m.state = 'failed'
  GROUP BY j.queue
), a AS (DELETE FROM attempts WHERE job_id = ANY (ARRAY(SELECT job_id FROM m)))
, l AS (DELETE FROM late_results WHERE job_id = ANY (ARRAY(SELECT job_id FROM m)))
, r AS (DELETE FROM redrives WHERE job_id = ANY (ARRAY(SELECT job_id FROM m)))
, c AS (DELETE FROM cancellations WHERE job_id = ANY (ARRAY(SELECT job_id FROM m)))
, j AS (DELETE FROM jobs WHERE id = ANY (ARRAY(SELECT job_id FROM m)) RETURNING id, key)
, k AS (
  DELETE FROM job_keys
  WHERE key = ANY (ARRAY(SELECT j.key FROM j WHERE j.key IS NOT NULL)) AND job_id = ANY (ARRAY(SELECT j.id FROM j))
)
SELECT count(*) FROM m
