-- An erasure, as all operations are told.
id, 'erase' AS action, '{}' AS filter, done AS total, done, created_at, finished_at, id AS cursor, stage, NULL AS jobs, NULL AS reason, false AS at_least, 0 AS skipped, false AS stopped
