-- Moves an operation on to what it has done, and says when it is over.
INSERT INTO facts (n, type, at, subject)
SELECT 1, 'operation.finished', :now, :subject FROM operations
WHERE id = :operation AND cursor = :cursor AND finished_at IS NULL AND (SELECT count(*) FROM moving) < :limit;
UPDATE operations
SET done = done + (SELECT count(*) FROM moving),
  finished_at = CASE WHEN (SELECT count(*) FROM moving) < :limit THEN :now END,
  cursor = coalesce((SELECT max(job_id) FROM moving), cursor)
WHERE id = :operation AND cursor = :cursor AND finished_at IS NULL;
