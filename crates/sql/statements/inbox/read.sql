-- Notes that an item is read, if it is not, and shows it with the counter as they are then.
{{hold_inbox}}
UPDATE inboxes SET unread = unread - 1, version = version + 1
WHERE recipient = (SELECT number FROM recipients WHERE id = :recipient)
  AND EXISTS (SELECT 1 FROM inbox i WHERE i.id = :item AND i.recipient = inboxes.recipient AND i.read_at IS NULL);
INSERT INTO facts (n, type, at, subjects, data)
SELECT 1, 'inbox.read', :now, json_array(i.id), json_object('recipient_id', :recipient)
FROM inbox i
WHERE i.id = :item AND i.recipient = (SELECT number FROM recipients WHERE id = :recipient) AND i.read_at IS NULL;
UPDATE inbox SET read_at = :now
WHERE id = :item AND recipient = (SELECT number FROM recipients WHERE id = :recipient) AND read_at IS NULL;
SELECT coalesce(b.unread, 0), coalesce(b.version, 0), i.id, i.seq, i.campaign_id, i.notification_id, i.category, i.title, i.body, i.data, i.created_at, i.read_at
FROM recipients r
LEFT JOIN inboxes b ON b.recipient = r.number
LEFT JOIN inbox i ON i.recipient = r.number AND i.id = :item
WHERE r.id = :recipient
