-- What a reader of a measurement wants to know of the database it was taken on.
SHOW GLOBAL VARIABLES WHERE Variable_name IN ('version', 'innodb_flush_log_at_trx_commit', 'sync_binlog', 'log_bin', 'innodb_doublewrite', 'innodb_flush_method',
  'innodb_buffer_pool_size', 'innodb_log_file_size', 'innodb_redo_log_capacity', 'max_connections', 'binlog_format')
