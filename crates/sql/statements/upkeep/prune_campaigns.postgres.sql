-- Forgets campaigns that ended long ago and of which no delivery is left, with their lines and books. The ids of a campaign's
-- deliveries are its own with a number in the last 40 bits. Whoever numbers facts folds them into the same counters, and waits.
SELECT last_seq FROM stream WHERE id = 1 FOR UPDATE;
WITH pruned AS (
  DELETE FROM campaigns
  WHERE id = ANY (ARRAY(
    SELECT c.id FROM campaigns c
    WHERE c.id < :bound AND c.finished_at < :cutoff
      AND NOT EXISTS (SELECT 1 FROM jobs j WHERE j.id BETWEEN c.id AND (left(c.id::text, 26) || 'ffffffffff')::uuid)
      AND NOT EXISTS (SELECT 1 FROM queue_counts k WHERE k.queue = 'cmp_' || c.id::text AND k.state IN ('pending', 'queued', 'running', 'retry_wait') AND k.n > 0)
      AND NOT EXISTS (SELECT 1 FROM facts f WHERE f.last_seq IS NULL AND f.queue = 'cmp_' || c.id::text)
    ORDER BY c.id LIMIT :limit))
  RETURNING id, 'cmp_' || id::text AS line
), pruned_approvals AS (
  DELETE FROM approvals WHERE campaign = ANY (ARRAY(SELECT id FROM pruned))
), pruned_counts AS (
  DELETE FROM queue_counts WHERE queue = ANY (ARRAY(SELECT line FROM pruned))
), pruned_minutes AS (
  DELETE FROM queue_minutes WHERE queue = ANY (ARRAY(SELECT line FROM pruned))
), pruned_queues AS (
  DELETE FROM queues WHERE name = ANY (ARRAY(SELECT line FROM pruned))
)
SELECT line FROM pruned
