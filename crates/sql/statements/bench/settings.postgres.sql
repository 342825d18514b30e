-- What a reader of a measurement wants to know of the database it was taken on.
SELECT name, setting || coalesce(unit, '')
FROM pg_settings
WHERE name IN ('server_version', 'fsync', 'synchronous_commit', 'full_page_writes', 'wal_compression', 'wal_level', 'wal_sync_method', 'shared_buffers',
  'effective_cache_size', 'max_wal_size', 'checkpoint_timeout', 'max_connections', 'synchronous_standby_names', 'commit_delay')
ORDER BY name
