-- One operation.
SELECT id, action, filter, total, done, created_at, finished_at, cursor FROM operations WHERE id = :id
