-- Forgets workers that left or went silent, but for those who hold leases: how long these last is known of them alone. And nodes
-- that have gone, and minutes that nobody looks at; the last one of a queue says when it was used last.
DELETE FROM nodes WHERE seen_at < :gone;
DELETE m FROM (SELECT queue, max(minute) AS minute FROM queue_minutes GROUP BY queue) l
STRAIGHT_JOIN queue_minutes m FORCE INDEX (PRIMARY) ON m.queue = l.queue AND m.minute < l.minute
WHERE m.minute < :minute;
DELETE FROM moving;
INSERT INTO moving (job_id)
SELECT w.id FROM workers w LEFT JOIN leases l ON l.worker_id = w.id WHERE w.seen_at < :cutoff AND l.id IS NULL;
DELETE w FROM moving m STRAIGHT_JOIN workers w FORCE INDEX (PRIMARY) ON w.id = m.job_id WHERE w.seen_at < :cutoff;
SELECT job_id FROM moving
