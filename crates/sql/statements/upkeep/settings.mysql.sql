-- What decides how much a commit survives. One of the servers has the double write as a word, and other words than on and off for it.
SELECT 'version', version()
UNION ALL SELECT 'innodb_flush_log_at_trx_commit', concat(@@global.innodb_flush_log_at_trx_commit)
UNION ALL SELECT 'innodb_doublewrite', CASE WHEN concat(@@global.innodb_doublewrite) IN ('0', 'OFF', 'DETECT_ONLY') THEN '0' ELSE '1' END
UNION ALL SELECT 'log_bin', concat(@@global.log_bin)
UNION ALL SELECT 'sync_binlog', concat(@@global.sync_binlog)
UNION ALL SELECT 'read_only', concat(@@global.read_only)
