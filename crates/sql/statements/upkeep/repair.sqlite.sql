-- Repairs one counter by what it had drifted, which is the same however many facts were numbered since; unless somebody else who
-- has looked at the same time was quicker.
DELETE FROM moving;
INSERT INTO moving (job_id)
SELECT :queue
WHERE NOT EXISTS (
  SELECT 1 FROM facts f
  WHERE (f.last_seq > :seen OR f.last_seq IS NULL) AND f.type = 'counters.repaired' AND f.subject = :queue AND f.data ->> 'state' = :state);
INSERT INTO queue_counts (queue, state, n) SELECT job_id, :state, :found - :counted FROM moving WHERE true
ON CONFLICT (queue, state) DO UPDATE SET n = queue_counts.n + excluded.n;
INSERT INTO facts (n, type, at, subject, data)
SELECT 1, 'counters.repaired', :now, job_id, json_object('state', :state, 'counted', :counted, 'found', :found) FROM moving;
SELECT job_id FROM moving;
