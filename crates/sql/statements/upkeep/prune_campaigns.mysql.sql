-- Forgets campaigns that ended long ago and of which no delivery is left, with their lines and books. The ids of a campaign's
-- deliveries are its own with a number in the last 40 bits: of each campaign the first that is left is looked for, which only this kind of
-- subquery does from where they begin. Whoever numbers facts folds them into the same counters, and waits.
DELETE FROM unpacking;
INSERT INTO unpacking (first, last, queue)
SELECT id, left(id, 26) || 'ffffffffff', 'cmp_' || id FROM campaigns WHERE id < :bound AND finished_at < :cutoff;
DELETE FROM naming;
INSERT INTO naming (name)
SELECT u.queue FROM unpacking u WHERE u.queue IN (SELECT j.queue FROM jobs j WHERE j.id >= u.first AND j.id <= u.last);
SELECT last_seq FROM stream WHERE id = 1 FOR UPDATE;
DELETE FROM locked;
INSERT INTO locked (id, queue)
SELECT c.id, u.queue
FROM unpacking u
STRAIGHT_JOIN campaigns c FORCE INDEX (PRIMARY) ON c.id = u.first
LEFT JOIN naming m ON m.name = u.queue
WHERE m.name IS NULL AND c.finished_at < :cutoff
  AND NOT EXISTS (SELECT 1 FROM queue_counts k WHERE k.queue = u.queue AND k.state IN ('pending', 'queued', 'running', 'retry_wait') AND k.n > 0)
  AND NOT EXISTS (SELECT 1 FROM facts f WHERE f.last_seq IS NULL AND f.queue = u.queue)
ORDER BY u.first
LIMIT :limit
FOR UPDATE;
DELETE c FROM locked m STRAIGHT_JOIN campaigns c FORCE INDEX (PRIMARY) ON c.id = m.id;
DELETE a FROM locked m STRAIGHT_JOIN approvals a FORCE INDEX (PRIMARY) ON a.campaign = m.id;
DELETE k FROM locked m STRAIGHT_JOIN queue_counts k FORCE INDEX (PRIMARY) ON k.queue = m.queue;
DELETE k FROM locked m STRAIGHT_JOIN queue_minutes k FORCE INDEX (PRIMARY) ON k.queue = m.queue;
DELETE q FROM locked m STRAIGHT_JOIN queues q FORCE INDEX (PRIMARY) ON q.name = m.queue;
SELECT queue FROM locked
