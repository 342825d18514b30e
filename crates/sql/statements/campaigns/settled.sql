-- Campaigns whose deliveries have all ended, or run again, as of the facts that are numbered.
SELECT c.id, c.epoch, c.state
FROM campaigns c
WHERE c.state IN ('sending', 'done') AND {{picked c.id}}
  AND CASE WHEN EXISTS (SELECT 1 FROM queue_counts k WHERE k.queue = 'cmp_' || {{as_text c.id}} AND k.state IN ('pending', 'queued', 'running', 'retry_wait') AND k.n > 0)
    OR EXISTS (SELECT 1 FROM facts f WHERE f.last_seq IS NULL AND f.queue = 'cmp_' || {{as_text c.id}}) THEN 'done' ELSE 'sending' END = c.state
ORDER BY c.id
LIMIT :limit
