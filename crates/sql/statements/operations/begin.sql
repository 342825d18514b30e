-- Begins an operation on jobs.
INSERT INTO facts (n, type, at, subject, data) VALUES (1, 'operation.started', :now, :subject, :data);
INSERT INTO job_operations (id, action, filter, reason, total, at_least, created_at)
VALUES (:id, :action, :filter, :reason, :total, :at_least::boolean, :now);
SELECT {{job_operation}} FROM job_operations WHERE id = :id
