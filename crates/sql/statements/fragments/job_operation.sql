-- An operation on jobs, as all are told.
id, action, '{}' AS filter, total, done, created_at, finished_at, cursor, NULL AS stage, filter AS jobs, reason, at_least, skipped, stopped
