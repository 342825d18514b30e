-- Compares the counters of live states with what they count, as of the facts that are numbered.
DELETE FROM moving;
INSERT INTO moving (job_id, queue, from_state, attempt, tries)
SELECT coalesce(t.queue, c.queue) || ' ' || coalesce(t.state, c.state), coalesce(t.queue, c.queue), coalesce(t.state, c.state), coalesce(c.n, 0), coalesce(t.n, 0)
FROM (
  SELECT queue, state, sum(n) AS n
  FROM (
    SELECT queue, 'queued' AS state, count(*) AS n FROM ready GROUP BY queue
    UNION ALL SELECT queue, 'queued', sum(n) FROM bundles GROUP BY queue
    UNION ALL SELECT queue, state, count(*) FROM waiting GROUP BY queue, state
    UNION ALL SELECT queue, 'running', sum(open) FROM leases GROUP BY queue
    UNION ALL SELECT queue, from_state, sum(n) FROM facts WHERE last_seq IS NULL AND queue IS NOT NULL GROUP BY queue, from_state
    UNION ALL SELECT queue, to_state, -sum(n) FROM facts WHERE last_seq IS NULL AND queue IS NOT NULL GROUP BY queue, to_state
  ) x
  WHERE state IN ('pending', 'queued', 'running', 'retry_wait')
  GROUP BY queue, state
) t
FULL JOIN (SELECT * FROM queue_counts WHERE state IN ('pending', 'queued', 'running', 'retry_wait')) c ON c.queue = t.queue AND c.state = t.state
WHERE coalesce(c.n, 0) <> coalesce(t.n, 0);
INSERT INTO queue_counts (queue, state, n) SELECT queue, from_state, tries FROM moving WHERE true
ON CONFLICT (queue, state) DO UPDATE SET n = excluded.n;
INSERT INTO facts (n, type, at, subject, data)
SELECT 1, 'counters.repaired', :now, queue, json_object('state', from_state, 'counted', attempt, 'found', tries) FROM moving;
SELECT queue, from_state, attempt, tries FROM moving ORDER BY queue, from_state;
