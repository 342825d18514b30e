-- What decides how much a commit survives.
SELECT name, setting FROM pg_settings
WHERE name IN ('server_version_num', 'fsync', 'full_page_writes', 'synchronous_commit', 'synchronous_standby_names', 'transaction_read_only')
UNION ALL
SELECT 'in_recovery', pg_is_in_recovery()::text
