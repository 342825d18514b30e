-- The store's own time.
SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint
