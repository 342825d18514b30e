-- Moves an operation on to what it has done, and says when it is over. It stays where it is while pieces are picked.
INSERT INTO facts (n, type, at, subject)
SELECT 1, 'operation.finished', :now, :subject FROM operations
WHERE id = :operation AND cursor = :cursor AND finished_at IS NULL AND NOT :only AND @found < :limit;
UPDATE operations
SET done = done + (SELECT count(*) FROM moving),
  finished_at = CASE WHEN @found < :limit AND NOT :only THEN :now END,
  cursor = CASE WHEN :only THEN cursor ELSE coalesce(@last, cursor) END
WHERE id = :operation AND cursor = :cursor AND finished_at IS NULL;
