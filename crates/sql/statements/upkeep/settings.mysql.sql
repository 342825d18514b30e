-- What decides how much a commit survives. Where there is no binary log, nothing waits for it.
SELECT 'version', version()
UNION ALL SELECT 'innodb_flush_log_at_trx_commit', CAST(@@innodb_flush_log_at_trx_commit AS char)
UNION ALL SELECT 'innodb_doublewrite', CASE WHEN CAST(@@innodb_doublewrite AS char) IN ('0', 'OFF', 'DETECT_ONLY') THEN 'off' ELSE 'on' END
UNION ALL SELECT 'sync_binlog', CAST(@@sync_binlog AS char) WHERE CAST(@@log_bin AS char) IN ('1', 'ON')
UNION ALL SELECT 'read_only', CASE WHEN CAST(@@read_only AS char) IN ('0', 'OFF') THEN 'off' ELSE 'on' END
/*M! UNION ALL SELECT CAST(lower(variable_name) AS char), CAST(lower(variable_value) AS char) FROM information_schema.global_status
  WHERE variable_name IN ('WSREP_CLUSTER_STATUS', 'WSREP_CLUSTER_SIZE', 'RPL_SEMI_SYNC_MASTER_STATUS', 'RPL_SEMI_SYNC_MASTER_CLIENTS')
UNION ALL SELECT CAST(lower(variable_name) AS char), CAST(lower(variable_value) AS char) FROM information_schema.global_variables
  WHERE variable_name IN ('WSREP_ON', 'RPL_SEMI_SYNC_MASTER_WAIT_POINT', 'RPL_SEMI_SYNC_MASTER_TIMEOUT') */
