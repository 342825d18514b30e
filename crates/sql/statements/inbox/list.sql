-- An inbox, the newest first. One that is empty is one row without an item, that of nobody is none.
SELECT i.id, i.seq, i.campaign_id, i.notification_id, i.category, i.title, i.body, i.data, i.created_at, i.read_at
FROM recipients r LEFT JOIN inbox i ON i.recipient = r.number AND i.seq < :before
WHERE r.id = :recipient
ORDER BY i.seq DESC LIMIT :limit
