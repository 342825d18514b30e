-- Forgets campaigns that ended long ago and of which no delivery is left, with their lines and books. The ids of a campaign's
-- deliveries are its own with a number in the last 40 bits.
DELETE FROM moving;
INSERT INTO moving (job_id, queue)
SELECT c.id, 'cmp_' || c.id FROM campaigns c
WHERE c.id < :bound AND c.finished_at < :cutoff
  AND NOT EXISTS (SELECT 1 FROM jobs j WHERE j.id BETWEEN c.id AND substr(c.id, 1, 26) || 'ffffffffff')
  AND NOT EXISTS (SELECT 1 FROM queue_counts k WHERE k.queue = 'cmp_' || c.id AND k.state IN ('pending', 'queued', 'running', 'retry_wait') AND k.n > 0)
  AND NOT EXISTS (SELECT 1 FROM facts f WHERE f.last_seq IS NULL AND f.queue = 'cmp_' || c.id)
ORDER BY c.id LIMIT :limit;
DELETE FROM campaigns WHERE id IN (SELECT job_id FROM moving);
DELETE FROM approvals WHERE campaign IN (SELECT job_id FROM moving);
DELETE FROM queue_counts WHERE queue IN (SELECT queue FROM moving);
DELETE FROM queue_minutes WHERE queue IN (SELECT queue FROM moving);
DELETE FROM queues WHERE name IN (SELECT queue FROM moving);
SELECT queue FROM moving;
