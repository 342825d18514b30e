-- Folds what was numbered in this turn into the counters.
INSERT INTO queue_counts (queue, state, n)
SELECT queue, state, sum(n)
FROM (
  SELECT queue, from_state AS state, -n AS n FROM facts
  WHERE last_seq > (SELECT last_seq FROM stream) AND queue IS NOT NULL AND from_state IS NOT NULL
  UNION ALL
  SELECT queue, to_state, n FROM facts
  WHERE last_seq > (SELECT last_seq FROM stream) AND queue IS NOT NULL AND to_state IS NOT NULL
) d
WHERE true
GROUP BY queue, state
{{if_there queue,state}} n = queue_counts.n + {{new n}};
INSERT INTO queue_minutes (queue, minute, n)
SELECT queue, {{per at 60000000}}, sum(n)
FROM facts
WHERE last_seq > (SELECT last_seq FROM stream) AND queue IS NOT NULL
  AND to_state IN ('succeeded', 'failed', 'skipped', 'canceled', 'uncertain')
GROUP BY queue, {{per at 60000000}}
{{if_there queue,minute}} n = queue_minutes.n + {{new n}};
