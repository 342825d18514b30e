-- Repairs one counter by what it had drifted, which is the same however many facts were numbered since; unless somebody else who
-- has looked at the same time was quicker.
SELECT last_seq FROM stream WHERE id = 1 FOR UPDATE;
WITH repaired AS (
  INSERT INTO queue_counts (queue, state, n)
  SELECT :queue, :state, :found::bigint - :counted::bigint
  WHERE NOT EXISTS (
      SELECT 1 FROM facts f WHERE f.last_seq > :seen AND f.type = 'counters.repaired' AND f.subject = :queue AND f.data::json ->> 'state' = :state)
    AND NOT EXISTS (
      SELECT 1 FROM facts f WHERE f.last_seq IS NULL AND f.type = 'counters.repaired' AND f.subject = :queue AND f.data::json ->> 'state' = :state)
  ON CONFLICT (queue, state) DO UPDATE SET n = queue_counts.n + excluded.n
  RETURNING queue
), told AS (
  INSERT INTO facts (n, type, at, subject, data)
  SELECT 1, 'counters.repaired', :now, queue, json_build_object('state', :state::text, 'counted', :counted::bigint, 'found', :found::bigint)::text FROM repaired
)
SELECT queue FROM repaired
