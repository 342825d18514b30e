-- Begins an operation on the dead letters that match now.
INSERT INTO facts (n, type, at, subject, data) VALUES (1, 'operation.started', :now, :subject, :data);
INSERT INTO operations (id, action, filter, total, created_at)
SELECT :id, :action, :filter, count(*), :now
FROM finished f
{{straight_join}} jobs j ON j.id = f.job_id
WHERE f.state = 'failed' AND f.discarded_at IS NULL
{{dead_letter_filter}} AND f.finished_at <= :now;
SELECT {{operation}} FROM operations WHERE id = :id
