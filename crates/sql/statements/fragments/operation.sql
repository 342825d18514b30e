-- An operation on dead letters, as all are told.
id, action, filter, total, done, created_at, finished_at, cursor, NULL AS stage, NULL AS jobs, NULL AS reason, false AS at_least, 0 AS skipped, stopped
