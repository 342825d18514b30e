-- Runs the next dead letters of an operation again; their moves, their facts and its cursor are one.
SELECT id FROM operations WHERE id = :operation AND cursor = :cursor AND finished_at IS NULL FOR UPDATE;
WITH o AS (
  SELECT id, created_at FROM operations WHERE id = :operation AND cursor = :cursor AND finished_at IS NULL
), m AS (
  DELETE FROM finished
  WHERE job_id = ANY (ARRAY(
    SELECT f.job_id
    FROM finished f
    JOIN jobs j ON j.id = f.job_id
    WHERE f.state = 'failed' AND f.discarded_at IS NULL
{{dead_letter_filter}} AND f.job_id > :cursor AND f.finished_at <= (SELECT created_at FROM o)
    ORDER BY f.job_id
    LIMIT :limit
    FOR UPDATE OF f))
  RETURNING job_id, finished_at, queued_at, attempt, run, fingerprint
), g AS (
  SELECT m.*, j.queue, j.priority FROM m JOIN jobs j ON j.id = m.job_id
), again AS (
  INSERT INTO redrives (job_id, run, at, finished_at, queued_at) SELECT job_id, run, :now, finished_at, queued_at FROM g
), r AS (
  INSERT INTO ready (queue, priority, run_at, job_id, since, attempt, tries, losses, run)
  SELECT queue, priority, :now, job_id, :now, attempt, 0, 0, run + 1 FROM g
), f AS (
  INSERT INTO facts (n, type, queue, from_state, to_state, at, subjects, attempts, data, items)
  SELECT count(*), 'job.queued', queue, 'failed', 'queued', :now, array_agg(job_id), array_agg(attempt),
    json_build_object('operation', :subject::text)::text, json_agg(json_build_object('was', fingerprint))::text
  FROM g GROUP BY queue
), {{step}}
SELECT count(*) FROM u
