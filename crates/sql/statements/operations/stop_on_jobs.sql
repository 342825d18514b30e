-- Ends an operation on jobs before it is through.
INSERT INTO facts (n, type, at, subject)
SELECT 1, 'operation.finished', :now, :subject FROM job_operations WHERE id = :id AND finished_at IS NULL {{for_update}};
UPDATE job_operations SET finished_at = :now, stopped = true WHERE id = :id AND finished_at IS NULL {{returning id job_operations id :id}}
