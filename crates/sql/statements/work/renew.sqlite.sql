-- Extends the leases that a worker names and has, and says which of their jobs were asked to stop. Each renewal
-- changes `until`, so that whoever watches sees it; a clock that was put back is followed back.
UPDATE leases SET until = CASE WHEN :until BETWEEN until - :behind AND until THEN until + 1 ELSE :until END
WHERE id IN (SELECT value FROM json_each(:leases_json)) AND worker_id = :worker;
SELECT 'lease', id FROM leases WHERE id IN (SELECT value FROM json_each(:leases_json)) AND worker_id = :worker
UNION ALL
SELECT 'cancel', c.job_id
FROM cancellations c JOIN leased h ON h.job_id = c.job_id JOIN leases l ON l.id = h.lease_id
WHERE l.id IN (SELECT value FROM json_each(:leases_json)) AND l.worker_id = :worker;
