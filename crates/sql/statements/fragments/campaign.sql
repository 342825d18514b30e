-- Campaigns with their books, and whose word they wait for.
SELECT c.id, c.key, c.plan, c.lane, c.state, c.why, c.epoch, q.rate, c.start_at, c.cursor, c.until, c.expected, c.expanded, c.items, c.chunks, c.holder, c.held_until,
  CASE WHEN c.lost_at = c.cursor THEN c.losses ELSE 0 END, c.created_at, c.updated_at, c.began_at, c.completed_at, c.finished_at,
  coalesce((SELECT n FROM queue_counts k WHERE k.queue = q.name AND k.state = 'pending'), 0),
  coalesce((SELECT n FROM queue_counts k WHERE k.queue = q.name AND k.state = 'queued'), 0),
  coalesce((SELECT n FROM queue_counts k WHERE k.queue = q.name AND k.state = 'running'), 0),
  coalesce((SELECT n FROM queue_counts k WHERE k.queue = q.name AND k.state = 'retry_wait'), 0),
  coalesce((SELECT n FROM queue_counts k WHERE k.queue = q.name AND k.state = 'succeeded'), 0),
  coalesce((SELECT n FROM queue_counts k WHERE k.queue = q.name AND k.state = 'failed'), 0),
  coalesce((SELECT n FROM queue_counts k WHERE k.queue = q.name AND k.state = 'canceled'), 0),
  coalesce((SELECT n FROM queue_counts k WHERE k.queue = q.name AND k.state = 'skipped'), 0),
  coalesce((SELECT n FROM queue_counts k WHERE k.queue = q.name AND k.state = 'uncertain'), 0),
  {{ended_lately}},
  CASE WHEN c.state = 'scheduled' AND c.start_at <= :now THEN (SELECT x.id FROM campaigns x WHERE x.lane = c.lane AND x.state = 'expanding') END,
  a.recipients, a.asked_by, a.asked_name, a.person, a.asked_at, a.approved_by, a.approved_name, a.approved_at
FROM campaigns c
JOIN queues q ON q.name = 'cmp_' || {{as_text c.id}}
LEFT JOIN approvals a ON a.campaign = c.id
