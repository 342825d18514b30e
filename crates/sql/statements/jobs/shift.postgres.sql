-- Moves a job that nobody holds, if it is still in the place the move starts from.
-- What is still in a batch steps out of it first, with all that is in it.
WITH unpacked AS (
  DELETE FROM ready_batches WHERE :from = 'queued' AND first = (
    SELECT x.first FROM (SELECT * FROM ready_batches WHERE first <= :job ORDER BY first DESC LIMIT 1) x WHERE :job = ANY (x.jobs[x.taken + 1:]))
  RETURNING queue, priority, run_at, expires_at, since, jobs, taken
)
INSERT INTO ready (queue, priority, run_at, job_id, expires_at, since, attempt, tries, losses, run)
SELECT b.queue, b.priority, b.run_at, j.job_id, b.expires_at, b.since, 0, 0, 0, 1
FROM unpacked b CROSS JOIN LATERAL unnest(b.jobs[b.taken + 1:]) AS j (job_id);
WITH left_waiting AS (
  DELETE FROM waiting WHERE job_id = :job AND state = :from
  RETURNING job_id, run_at, since AS queued_at, attempt, tries, losses, run, NULL::text AS fingerprint, NULL::bigint AS finished_at, NULL::bigint AS discarded_at
), left_ready AS (
  DELETE FROM ready WHERE job_id = :job AND :from = 'queued'
  RETURNING job_id, run_at, since AS queued_at, attempt, tries, losses, run, NULL::text, NULL::bigint, NULL::bigint
), left_finished AS (
  DELETE FROM finished WHERE job_id = :job AND state = :from
  RETURNING job_id, finished_at AS run_at, queued_at, attempt, tries, losses, run, fingerprint, finished_at, discarded_at
), moved AS (
  SELECT s.*, j.kind, j.queue, j.priority, j.expires_at
  FROM (SELECT * FROM left_waiting UNION ALL SELECT * FROM left_ready UNION ALL SELECT * FROM left_finished) s
  JOIN jobs j ON j.id = s.job_id
), again AS (
  INSERT INTO redrives (job_id, run, at, finished_at, queued_at, discarded_at)
  SELECT job_id, run, :now, finished_at, queued_at, discarded_at FROM moved WHERE finished_at IS NOT NULL AND :to = 'queued'
), new_ready AS (
  INSERT INTO ready (queue, priority, run_at, job_id, expires_at, since, attempt, tries, losses, run)
  SELECT queue, priority, CASE WHEN :event = 'release' THEN run_at ELSE :now END, job_id, CASE WHEN finished_at IS NULL THEN expires_at END, :now, attempt,
    CASE WHEN finished_at IS NULL THEN tries ELSE 0 END, CASE WHEN finished_at IS NULL THEN losses ELSE 0 END,
    CASE WHEN finished_at IS NULL THEN run ELSE run + 1 END
  FROM moved WHERE :to = 'queued'
), ended AS (
  INSERT INTO finished (job_id, state, reason, finished_at, queued_at, attempt, tries, losses, run, fingerprint)
  SELECT job_id, :to, :reason, :now, queued_at, attempt, tries, losses, run, :fingerprint::text
  FROM moved WHERE :to <> 'queued'
), settled_cancellation AS (
  DELETE FROM cancellations WHERE job_id = :job AND EXISTS (SELECT 1 FROM moved)
), told AS (
  INSERT INTO facts (n, type, queue, from_state, to_state, at, subjects, attempts, items)
  SELECT 1, 'job.' || :to, queue, :from, :to, :now, ARRAY[job_id], ARRAY[attempt],
    json_build_array(json_strip_nulls(json_build_object(
      'reason', :reason::text,
      'was', CASE WHEN discarded_at IS NULL THEN fingerprint END,
      'fingerprint', :fingerprint::text,
      'class', CASE WHEN :to = 'failed' THEN 'permanent' END,
      'code', :code::text,
      'message', :message::text)))::text
  FROM moved
)
SELECT job_id FROM moved
