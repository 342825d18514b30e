-- Moves an operation on to what it has done, and says when it is over.
u AS (
  UPDATE operations
  SET done = done + (SELECT count(*) FROM m),
    cursor = coalesce((SELECT max(job_id::text)::uuid FROM m), cursor),
    finished_at = CASE WHEN (SELECT count(*) FROM m) < :limit THEN :now END
  FROM o WHERE operations.id = o.id
  RETURNING finished_at
), e AS (
  INSERT INTO facts (n, type, at, subject) SELECT 1, 'operation.finished', :now, :subject FROM u WHERE finished_at IS NOT NULL
)
