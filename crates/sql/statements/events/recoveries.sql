-- What the system did by itself, among the newest facts below a number.
SELECT {{fact}}
FROM (SELECT last_seq AS number FROM facts {{by_number}} WHERE last_seq < :before ORDER BY last_seq DESC LIMIT :budget) newest
{{straight_join}} facts {{by_number}} ON facts.last_seq = newest.number
WHERE type IN ('leader.changed', 'schedule.missed', 'campaign.stopped', 'hints.away', 'hints.back', 'hints.lost', 'hints.rebuilt')
  OR (from_state = 'running' AND to_state IN ('retry_wait', 'failed', 'uncertain') AND {{strpos}}(items, '"lost"') > 0)
  OR (to_state = 'succeeded' AND {{strpos}}(items, '"late"') > 0)
ORDER BY last_seq DESC
LIMIT :limit
