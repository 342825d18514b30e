-- Forgets workers that left or went silent, but for those who hold leases: how long these last is known of them alone. And nodes
-- that have gone, and minutes that nobody looks at; the last one of a queue says when it was used last.
DELETE FROM nodes WHERE seen_at < :gone;
DELETE FROM queue_minutes
WHERE minute < :minute AND EXISTS (SELECT 1 FROM queue_minutes y WHERE y.queue = queue_minutes.queue AND y.minute > queue_minutes.minute);
DELETE FROM workers
WHERE seen_at < :cutoff AND NOT EXISTS (SELECT 1 FROM leases l WHERE l.worker_id = workers.id)
RETURNING id
