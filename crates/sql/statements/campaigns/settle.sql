-- Ends a campaign whose deliveries have all ended, or takes it up again; looked at once more where it counts.
UPDATE campaigns
SET state = :to, updated_at = :now, finished_at = CASE WHEN :to::text = 'done' THEN :now::bigint END
WHERE id = :id AND state = :from AND epoch = :epoch
  AND CASE WHEN EXISTS (SELECT 1 FROM queue_counts k WHERE k.queue = :queue AND k.state IN ('pending', 'queued', 'running', 'retry_wait') AND k.n > 0)
    OR EXISTS (SELECT 1 FROM facts f WHERE f.last_seq IS NULL AND f.queue = :queue) THEN 'done' ELSE 'sending' END = :from
{{returning id campaigns id :id}}
