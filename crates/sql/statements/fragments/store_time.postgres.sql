-- The store's own time.
(extract(epoch FROM clock_timestamp()) * 1000000)::bigint
