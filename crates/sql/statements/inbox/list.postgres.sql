-- An inbox, the newest first. One that is empty is one row without an item, that of nobody is none.
SELECT i.id, i.seq, i.campaign_id, i.notification_id, i.category, i.title, i.body, i.data, i.created_at, i.read_at
FROM recipients r
LEFT JOIN LATERAL (SELECT * FROM inbox y WHERE y.recipient = r.number AND y.seq < :before ORDER BY y.seq DESC LIMIT :limit) i ON true
WHERE r.id = :recipient
