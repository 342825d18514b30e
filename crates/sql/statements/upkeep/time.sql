-- The store's own time.
SELECT {{store_time}}
