-- Moves an operation on jobs to where it has come, if it stands where the step began, and says when it is over.
INSERT INTO facts (n, type, at, subject)
SELECT 1, 'operation.finished', :now, :subject FROM job_operations
WHERE id = :id AND cursor = :from AND finished_at IS NULL AND :is_last::integer = 1 {{for_update}};
UPDATE job_operations
SET cursor = :to, skipped = skipped + :skipped::bigint, finished_at = CASE WHEN :is_last::integer = 1 THEN :now::bigint END
WHERE id = :id AND cursor = :from AND finished_at IS NULL {{returning id job_operations id :id}}
