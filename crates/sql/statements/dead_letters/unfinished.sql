-- The oldest unfinished operation.
SELECT id, action, filter, total, done, created_at, finished_at, cursor FROM operations WHERE finished_at IS NULL ORDER BY id LIMIT 1
