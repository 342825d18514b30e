-- Forgets queues that were not used a moment ago, if they still are not.
DELETE FROM moving;
INSERT INTO moving (job_id, queue)
SELECT name, name FROM queues
WHERE name IN (SELECT value FROM json_each(:names)) AND NOT paused AND max_running IS NULL AND rate IS NULL
  AND NOT EXISTS (SELECT 1 FROM queue_counts k WHERE k.queue = name AND k.state IN ('pending', 'queued', 'running', 'retry_wait', 'failed') AND k.n <> 0)
  AND NOT EXISTS (SELECT 1 FROM facts f WHERE f.last_seq IS NULL AND f.queue = name);
DELETE FROM queue_counts WHERE queue IN (SELECT queue FROM moving);
DELETE FROM queue_minutes WHERE queue IN (SELECT queue FROM moving);
DELETE FROM queues WHERE name IN (SELECT queue FROM moving);
SELECT queue FROM moving;
