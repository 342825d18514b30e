-- Ends an operation on dead letters before it is through.
INSERT INTO facts (n, type, at, subject)
SELECT 1, 'operation.finished', :now, :subject FROM operations WHERE id = :id AND finished_at IS NULL {{for_update}};
UPDATE operations SET finished_at = :now, stopped = true WHERE id = :id AND finished_at IS NULL {{returning id operations id :id}}
