-- Forgets campaigns that ended long ago and of which no delivery is left, with their lines and books. The ids of a campaign's
-- deliveries are its own with a number in the last 40 bits. Whoever numbers facts folds them into the same counters, and waits.
SELECT last_seq FROM stream WHERE id = 1 FOR UPDATE;
DELETE FROM moving;
INSERT INTO moving (job_id, queue)
SELECT c.id, 'cmp_' || c.id FROM campaigns c FORCE INDEX (PRIMARY)
WHERE c.id < :bound AND c.finished_at < :cutoff
  AND NOT EXISTS (SELECT 1 FROM jobs j WHERE j.id BETWEEN c.id AND left(c.id, 26) || 'ffffffffff')
  AND NOT EXISTS (SELECT 1 FROM queue_counts k WHERE k.queue = 'cmp_' || c.id AND k.state IN ('pending', 'queued', 'running', 'retry_wait') AND k.n > 0)
  AND NOT EXISTS (SELECT 1 FROM facts f WHERE f.last_seq IS NULL AND f.queue = 'cmp_' || c.id)
ORDER BY c.id LIMIT :limit
FOR UPDATE;
DELETE c FROM moving m STRAIGHT_JOIN campaigns c ON c.id = m.job_id;
DELETE k FROM moving m STRAIGHT_JOIN queue_counts k ON k.queue = m.queue;
DELETE k FROM moving m STRAIGHT_JOIN queue_minutes k ON k.queue = m.queue;
DELETE q FROM moving m STRAIGHT_JOIN queues q ON q.name = m.queue;
SELECT queue FROM moving
