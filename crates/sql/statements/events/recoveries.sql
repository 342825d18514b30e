-- What the system did by itself, among the newest facts below a number.
SELECT {{fact}}
FROM (SELECT * FROM facts WHERE last_seq < :before ORDER BY last_seq DESC LIMIT :budget) f
WHERE type IN ('leader.changed', 'schedule.missed', 'campaign.stopped', 'hints.away', 'hints.back', 'hints.lost', 'hints.rebuilt')
  OR (from_state = 'running' AND to_state IN ('retry_wait', 'failed', 'uncertain') AND {{strpos}}(items, '"lost"') > 0)
  OR (to_state = 'succeeded' AND {{strpos}}(items, '"late"') > 0)
ORDER BY last_seq DESC
LIMIT :limit
