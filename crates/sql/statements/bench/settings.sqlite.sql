-- What a reader of a measurement wants to know of the database it was taken on.
SELECT 'version', sqlite_version()
UNION ALL SELECT 'journal_mode', journal_mode FROM pragma_journal_mode
UNION ALL SELECT 'synchronous', CASE synchronous WHEN 0 THEN 'off' WHEN 1 THEN 'normal' WHEN 2 THEN 'full' ELSE 'extra' END FROM pragma_synchronous
UNION ALL SELECT 'page_size', CAST(page_size AS text) FROM pragma_page_size
UNION ALL SELECT 'cache_size', CAST(cache_size AS text) FROM pragma_cache_size
