-- What decides how much a commit survives.
SELECT 'version', sqlite_version()
UNION ALL SELECT 'journal_mode', journal_mode FROM pragma_journal_mode
UNION ALL SELECT 'synchronous', CAST(synchronous AS text) FROM pragma_synchronous
