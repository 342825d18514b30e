-- Forgets queues that were not used a moment ago, if they still are not. Whoever numbers facts folds them into the same counters, and
-- waits. A job that comes to one at this very moment has it made again by whoever looks for lines.
SELECT last_seq FROM stream WHERE id = 1 FOR UPDATE;
WITH pruned AS (
  DELETE FROM queues
  WHERE name = ANY (ARRAY(SELECT jsonb_array_elements_text(:names::jsonb))) AND NOT paused AND max_running IS NULL AND rate IS NULL
    AND NOT EXISTS (SELECT 1 FROM queue_counts k WHERE k.queue = name AND k.state IN ('pending', 'queued', 'running', 'retry_wait', 'failed') AND k.n <> 0)
    AND NOT EXISTS (SELECT 1 FROM facts f WHERE f.last_seq IS NULL AND f.queue = name)
  RETURNING name
), pruned_counts AS (
  DELETE FROM queue_counts WHERE queue = ANY (ARRAY(SELECT name FROM pruned))
), pruned_minutes AS (
  DELETE FROM queue_minutes WHERE queue = ANY (ARRAY(SELECT name FROM pruned))
)
SELECT name FROM pruned
