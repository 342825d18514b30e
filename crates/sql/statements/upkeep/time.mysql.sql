-- The store's own time.
SELECT timestampdiff(MICROSECOND, '1970-01-01', utc_timestamp(6))
