-- The store's own time.
timestampdiff(MICROSECOND, '1970-01-01', utc_timestamp(6))
