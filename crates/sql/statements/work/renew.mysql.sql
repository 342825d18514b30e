-- Extends the leases that a worker names and has, and says which of their jobs were asked to stop. The leases are
-- locked in the order in which settlements lock them: else the two wait for each other in a circle. Each renewal
-- changes `until`, so that whoever watches sees it; a clock that was put back is followed back.
DELETE FROM locked;
INSERT INTO locked (id)
SELECT l.id FROM leases l FORCE INDEX (PRIMARY) WHERE l.id IN (:leases) AND l.worker_id = :worker ORDER BY l.id FOR UPDATE;
UPDATE locked k STRAIGHT_JOIN leases l FORCE INDEX (PRIMARY) ON l.id = k.id
SET l.until = CASE WHEN :until BETWEEN l.until - :behind AND l.until THEN l.until + 1 ELSE :until END;
SELECT 'lease', id FROM locked
UNION ALL
SELECT 'cancel', c.job_id
FROM cancellations c STRAIGHT_JOIN leased h FORCE INDEX (PRIMARY) ON h.job_id = c.job_id STRAIGHT_JOIN leases l ON l.id = h.lease_id
WHERE h.lease_id IN (:leases) AND l.worker_id = :worker;
