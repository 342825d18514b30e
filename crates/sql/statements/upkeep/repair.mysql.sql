-- Repairs one counter by what it had drifted, which is the same however many facts were numbered since; unless somebody else who
-- has looked at the same time was quicker.
SELECT last_seq FROM stream WHERE id = 1 FOR UPDATE;
SELECT count(*) = 0 INTO @is_first
FROM (
  SELECT data FROM facts WHERE last_seq > :seen AND type = 'counters.repaired' AND subject = :queue
  UNION ALL
  SELECT data FROM facts WHERE last_seq IS NULL AND type = 'counters.repaired' AND subject = :queue) f
WHERE json_value(f.data, '$.state') = :state;
INSERT INTO queue_counts (queue, state, n) SELECT :queue, :state, :found - :counted WHERE @is_first
ON DUPLICATE KEY UPDATE n = queue_counts.n + VALUES(n);
INSERT INTO facts (n, type, at, subject, data)
SELECT 1, 'counters.repaired', :now, :queue, json_object('state', :state, 'counted', :counted, 'found', :found) WHERE @is_first;
SELECT :queue WHERE @is_first
