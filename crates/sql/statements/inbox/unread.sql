-- The counter of an inbox; none is that of nobody.
SELECT coalesce(b.unread, 0), coalesce(b.version, 0)
FROM recipients r LEFT JOIN inboxes b ON b.recipient = r.number
WHERE r.id = :recipient
