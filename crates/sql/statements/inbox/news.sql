-- The counter of an inbox and what came into it after a number, in order, as of one moment.
SELECT coalesce(b.unread, 0), coalesce(b.version, 0), i.id, i.seq, i.campaign_id, i.notification_id, i.category, i.title, i.body, i.data, i.created_at, i.read_at
FROM recipients r
LEFT JOIN inboxes b ON b.recipient = r.number
LEFT JOIN inbox i ON i.recipient = r.number AND i.seq > :after
WHERE r.id = :recipient
ORDER BY i.seq LIMIT :limit
