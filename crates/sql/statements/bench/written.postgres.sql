-- How many bytes the log has taken since the server was made.
SELECT (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::bigint
