-- Forgets queues that were not used a moment ago, if they still are not. Whoever numbers facts folds them into the same counters, and
-- waits. A job that comes to one at this very moment has it made again by whoever looks for lines.
SELECT last_seq FROM stream WHERE id = 1 FOR UPDATE;
DELETE FROM naming;
INSERT INTO naming (name)
SELECT q.name
FROM json_table(:names, '$[*]' COLUMNS (name varchar(255) PATH '$')) x
STRAIGHT_JOIN queues q FORCE INDEX (PRIMARY) ON q.name = x.name
WHERE NOT q.paused AND q.max_running IS NULL AND q.rate IS NULL
  AND NOT EXISTS (SELECT 1 FROM queue_counts k WHERE k.queue = q.name AND k.state IN ('pending', 'queued', 'running', 'retry_wait', 'failed') AND k.n <> 0)
  AND NOT EXISTS (SELECT 1 FROM facts f WHERE f.last_seq IS NULL AND f.queue = q.name)
FOR UPDATE /*!80000 OF q */;
DELETE k FROM naming m STRAIGHT_JOIN queue_counts k FORCE INDEX (PRIMARY) ON k.queue = m.name;
DELETE k FROM naming m STRAIGHT_JOIN queue_minutes k FORCE INDEX (PRIMARY) ON k.queue = m.name;
DELETE q FROM naming m STRAIGHT_JOIN queues q FORCE INDEX (PRIMARY) ON q.name = m.name;
SELECT name FROM naming
