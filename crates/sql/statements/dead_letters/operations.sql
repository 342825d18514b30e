-- Operations, whatever they do, newest first.
SELECT id, action, filter, total, done, created_at, finished_at, cursor, stage
FROM (
  SELECT * FROM (SELECT id, action, filter, total, done, created_at, finished_at, cursor, NULL AS stage FROM operations WHERE id < :before ORDER BY id DESC LIMIT :limit) o
  UNION ALL
  SELECT * FROM (SELECT id, 'erase', '{}', done AS total, done, created_at, finished_at, id AS cursor, stage FROM erasures WHERE id < :before ORDER BY id DESC LIMIT :limit) e
) x
ORDER BY id DESC LIMIT :limit
