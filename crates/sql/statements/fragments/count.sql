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
-- What pictures are drawn from: each move once for its queue and twice for all of them.
INSERT INTO rollups (queue, resolution, span, state, came, went)
SELECT CASE WHEN r.is_own = 1 THEN m.queue ELSE '' END, r.resolution, {{per m.at r.length}}, m.state, sum(m.came), sum(m.went)
FROM (
  SELECT queue, at, to_state AS state, n AS came, 0 AS went FROM facts
  WHERE last_seq > (SELECT last_seq FROM stream) AND queue IS NOT NULL AND to_state IS NOT NULL
  UNION ALL
  SELECT queue, at, from_state, 0, n FROM facts
  WHERE last_seq > (SELECT last_seq FROM stream) AND queue IS NOT NULL AND from_state IS NOT NULL
) m
CROSS JOIN (
  SELECT 'minute' AS resolution, 60000000 AS length, 1 AS is_own
  UNION ALL SELECT 'minute', 60000000, 0
  UNION ALL SELECT 'hour', 3600000000, 0
) r
WHERE true
GROUP BY 1, 2, 3, 4
{{if_there queue,resolution,span,state}} came = rollups.came + {{new came}}, went = rollups.went + {{new went}};
-- What they are marked with: stops, what goes on, nodes that join, and what the system did by itself. What a node says of itself when it
-- joins ends with its version, which is no text with marks in it; of several the greatest is kept.
INSERT INTO markers (minute, kind, n, subject, version)
SELECT {{per at 60000000}}, type, sum(n), max(subject), max(CASE WHEN type = 'worker.joined' THEN replace(substr(data, {{strpos}}(data, '"version":"') + 11), '"}', '') END)
FROM facts
WHERE last_seq > (SELECT last_seq FROM stream)
  AND (type IN ('campaign.canceled', 'campaign.resumed', 'campaign.stopped', 'hints.away', 'hints.back', 'hints.lost', 'hints.rebuilt', 'leader.changed',
      'queue.paused', 'queue.resumed', 'schedule.missed')
    OR (type = 'worker.joined' AND {{strpos}}(data, '"remote":true') = 0))
GROUP BY {{per at 60000000}}, type
{{if_there minute,kind}} n = markers.n + {{new n}}, subject = {{new subject}}, version = {{greatest}}(coalesce(markers.version, {{new version}}), coalesce({{new version}}, markers.version));
-- Attempts that were lost are told by whoever takes them back, in rows of their own.
INSERT INTO markers (minute, kind, n)
SELECT {{per at 60000000}}, 'attempt.lost', sum(n)
FROM facts
WHERE last_seq > (SELECT last_seq FROM stream)
  AND from_state = 'running' AND to_state IN ('retry_wait', 'failed', 'uncertain', 'canceled')
  AND ({{strpos}}(items, '"class":"lost"') > 0 OR {{strpos}}(items, '"class": "lost"') > 0)
GROUP BY {{per at 60000000}}
{{if_there minute,kind}} n = markers.n + {{new n}};
