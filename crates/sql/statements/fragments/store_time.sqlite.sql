-- The store's own time. SQLite's clock is this machine's, to the millisecond.
CAST(round((julianday('now') - 2440587.5) * 86400000) AS integer) * 1000
