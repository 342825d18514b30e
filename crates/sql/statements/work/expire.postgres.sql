-- Fails jobs whose time has passed before they ran.
WITH kinds AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset(:kinds::jsonb) AS k (kind text, fingerprint text)
), left_waiting AS (
  DELETE FROM waiting
  WHERE job_id = ANY (ARRAY(SELECT job_id FROM waiting WHERE expires_at <= :now AND {{picked job_id}} ORDER BY expires_at LIMIT :limit FOR UPDATE SKIP LOCKED))
  RETURNING job_id, state, queue, since, attempt, tries, losses, run
), left_ready AS (
  DELETE FROM ready
  WHERE ctid = ANY (ARRAY(SELECT ctid FROM ready WHERE expires_at <= :now AND {{picked job_id}} ORDER BY expires_at LIMIT :limit FOR UPDATE SKIP LOCKED))
  RETURNING job_id, 'queued'::text, queue, since, attempt, tries, losses, run
), expired AS (
  SELECT s.*, coalesce((SELECT k.fingerprint FROM kinds k WHERE k.kind = j.kind), 'fp_expired') AS fingerprint
  FROM (SELECT * FROM left_waiting UNION ALL SELECT * FROM left_ready) s
  JOIN jobs j ON j.id = s.job_id
), ended AS (
  INSERT INTO finished (job_id, state, reason, finished_at, queued_at, attempt, tries, losses, run, fingerprint)
  SELECT job_id, 'failed', 'expired', :now, since, attempt, tries, losses, run, fingerprint FROM expired
), told AS (
  INSERT INTO facts (n, type, queue, from_state, to_state, at, subjects, attempts, items)
  SELECT count(*), 'job.failed', queue, state, 'failed', :now, array_agg(job_id), array_agg(attempt),
    json_agg(json_build_object('class', 'permanent', 'code', :code::text, 'message', :message::text,
      'reason', 'expired', 'fingerprint', fingerprint))::text
  FROM expired
  GROUP BY queue, state
)
SELECT count(*) FROM expired
