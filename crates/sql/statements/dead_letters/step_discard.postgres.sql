-- Takes the next dead letters of an operation off the list; the marks, their facts and its cursor are one.
SELECT id FROM operations WHERE id = :operation AND cursor = :cursor AND finished_at IS NULL FOR UPDATE;
WITH operation AS (
  SELECT id, created_at FROM operations WHERE id = :operation AND cursor = :cursor AND finished_at IS NULL
), moved AS (
  UPDATE finished SET discarded_at = :now
  WHERE job_id = ANY (ARRAY(
    SELECT f.job_id
    FROM finished f
    JOIN jobs j ON j.id = f.job_id
    WHERE f.state = 'failed' AND f.discarded_at IS NULL
{{dead_letter_filter}} AND {{picked f.job_id}} AND f.job_id > :cursor AND f.finished_at <= (SELECT created_at FROM operation)
    ORDER BY f.job_id
    LIMIT :limit
    FOR UPDATE OF f))
  RETURNING job_id, attempt, fingerprint
), moved_jobs AS (
  SELECT m.*, j.queue FROM moved m JOIN jobs j ON j.id = m.job_id
), told AS (
  INSERT INTO facts (n, type, queue, at, subjects, attempts, data, items)
  SELECT count(*), 'job.discarded', queue, :now, array_agg(job_id), array_agg(attempt),
    json_build_object('operation', :subject::text)::text, json_agg(json_build_object('was', fingerprint))::text
  FROM moved_jobs GROUP BY queue
), {{step}}
SELECT count(*) FROM stepped
