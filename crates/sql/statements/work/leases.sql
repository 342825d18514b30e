-- Every lease there is, as whoever watches it sees it.
SELECT l.id, l.worker_id, l.until, w.lease_us, CASE WHEN w.left_at IS NULL THEN 0 ELSE 1 END
FROM leases l
LEFT JOIN workers w ON w.id = l.worker_id
ORDER BY l.until, l.id
LIMIT :limit
