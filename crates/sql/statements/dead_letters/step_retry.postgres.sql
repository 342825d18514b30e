-- Runs the next dead letters of an operation again; their moves, their facts and its cursor are one.
SELECT id FROM operations WHERE id = :operation AND cursor = :cursor AND finished_at IS NULL FOR UPDATE;
WITH operation AS (
  SELECT id, created_at FROM operations WHERE id = :operation AND cursor = :cursor AND finished_at IS NULL
), moved AS (
  DELETE FROM finished
  WHERE job_id = ANY (ARRAY(
    SELECT f.job_id
    FROM finished f
    JOIN jobs j ON j.id = f.job_id
    WHERE f.state = 'failed' AND f.discarded_at IS NULL
{{dead_letter_filter}} AND {{picked f.job_id}} AND f.job_id > :cursor AND f.finished_at <= (SELECT created_at FROM operation)
    ORDER BY f.job_id
    LIMIT :limit
    FOR UPDATE OF f))
  RETURNING job_id, finished_at, queued_at, attempt, run, fingerprint
), moved_jobs AS (
  SELECT m.*, j.queue, j.priority FROM moved m JOIN jobs j ON j.id = m.job_id
), again AS (
  INSERT INTO redrives (job_id, run, at, finished_at, queued_at) SELECT job_id, run, :now, finished_at, queued_at FROM moved_jobs
), new_ready AS (
  INSERT INTO ready (queue, priority, run_at, job_id, since, attempt, tries, losses, run)
  SELECT queue, priority, :now, job_id, :now, attempt, 0, 0, run + 1 FROM moved_jobs
), told AS (
  INSERT INTO facts (n, type, queue, from_state, to_state, at, subjects, attempts, data, items)
  SELECT count(*), 'job.queued', queue, 'failed', 'queued', :now, array_agg(job_id), array_agg(attempt),
    json_build_object('operation', :subject::text)::text, json_agg(json_build_object('was', fingerprint))::text
  FROM moved_jobs GROUP BY queue
), {{step}}
SELECT count(*) FROM stepped
