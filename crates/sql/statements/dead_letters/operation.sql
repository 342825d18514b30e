-- One operation, whatever it does.
SELECT id, action, filter, total, done, created_at, finished_at, cursor, NULL AS stage FROM operations WHERE id = :id
UNION ALL
SELECT id, 'erase', '{}', done, done, created_at, finished_at, id, stage FROM erasures WHERE id = :id
