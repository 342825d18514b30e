-- Operations, newest first.
SELECT id, action, filter, total, done, created_at, finished_at, cursor FROM operations WHERE id < :before ORDER BY id DESC LIMIT :limit
