-- Moves an operation on to what it has done, and says when it is over. It stays where it is while pieces are picked.
stepped AS (
  UPDATE operations
  SET done = done + (SELECT count(*) FROM moved),
    cursor = CASE WHEN :only::boolean THEN cursor ELSE coalesce((SELECT max(job_id::text)::uuid FROM moved), cursor) END,
    finished_at = CASE WHEN (SELECT count(*) FROM moved) < :limit AND NOT :only::boolean THEN :now END
  FROM operation o WHERE operations.id = o.id
  RETURNING finished_at
), told_end AS (
  INSERT INTO facts (n, type, at, subject) SELECT 1, 'operation.finished', :now, :subject FROM stepped WHERE finished_at IS NOT NULL
)
