-- An inbox, the newest first. One that is empty is one row without an item, that of nobody is none. The page is read before it is
-- joined: else the whole inbox is, and sorted.
SELECT i.id, i.seq, i.campaign_id, i.notification_id, i.category, i.title, i.body, i.data, i.created_at, i.read_at
FROM recipients r
LEFT JOIN (
  SELECT id, recipient, seq, campaign_id, notification_id, category, title, body, data, created_at, read_at
  FROM inbox FORCE INDEX (PRIMARY)
  WHERE recipient = (SELECT number FROM recipients WHERE id = :recipient) AND seq < :before
  ORDER BY seq DESC LIMIT :limit
) i ON i.recipient = r.number
WHERE r.id = :recipient
ORDER BY i.seq DESC
