-- Compares the counters of live states with what they count, as of the facts that are numbered.
SELECT last_seq FROM stream WHERE id = 1 FOR UPDATE;
WITH d AS (
  SELECT coalesce(t.queue, c.queue) AS queue, coalesce(t.state, c.state) AS state, coalesce(c.n, 0) AS counted, coalesce(t.n, 0) AS found
  FROM (
    SELECT queue, state, sum(n) AS n
    FROM (
      SELECT queue, 'queued' AS state, count(*) AS n FROM ready GROUP BY queue
      UNION ALL SELECT queue, 'queued', sum(n - taken) FROM bundles GROUP BY queue
      UNION ALL SELECT queue, state, count(*) FROM waiting GROUP BY queue, state
      UNION ALL SELECT queue, 'running', sum(open) FROM leases GROUP BY queue
      UNION ALL SELECT queue, from_state, sum(n) FROM facts WHERE last_seq IS NULL AND queue IS NOT NULL GROUP BY queue, from_state
      UNION ALL SELECT queue, to_state, -sum(n) FROM facts WHERE last_seq IS NULL AND queue IS NOT NULL GROUP BY queue, to_state
    ) x
    WHERE state IN ('pending', 'queued', 'running', 'retry_wait')
    GROUP BY queue, state
  ) t
  FULL JOIN (SELECT * FROM queue_counts WHERE state IN ('pending', 'queued', 'running', 'retry_wait')) c ON c.queue = t.queue AND c.state = t.state
  WHERE coalesce(c.n, 0) <> coalesce(t.n, 0)
), r AS (
  INSERT INTO queue_counts (queue, state, n) SELECT queue, state, found FROM d
  ON CONFLICT (queue, state) DO UPDATE SET n = excluded.n
), f AS (
  INSERT INTO facts (n, type, at, subject, data)
  SELECT 1, 'counters.repaired', :now, queue, json_build_object('state', state, 'counted', counted, 'found', found)::text FROM d
)
SELECT queue, state, counted::bigint, found::bigint FROM d ORDER BY queue, state
