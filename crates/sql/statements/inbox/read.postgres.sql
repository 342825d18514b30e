-- Notes that an item is read, if it is not, and shows it with the counter as they are then. The counter is locked first, as
-- everywhere, so that two who read wait for each other instead of dying.
SELECT b.recipient FROM inboxes b WHERE b.recipient = (SELECT number FROM recipients WHERE id = :recipient) FOR UPDATE;
WITH newly_read AS (
  UPDATE inbox SET read_at = :now
  WHERE id = :item AND recipient = (SELECT number FROM recipients WHERE id = :recipient) AND read_at IS NULL
  RETURNING recipient
), told AS (
  INSERT INTO facts (n, type, at, subjects, data)
  SELECT 1, 'inbox.read', :now, ARRAY[:item::uuid], json_build_object('recipient_id', :recipient::text)::text FROM newly_read
)
UPDATE inboxes SET unread = unread - 1, version = version + 1 FROM newly_read i WHERE inboxes.recipient = i.recipient;
SELECT coalesce(b.unread, 0), coalesce(b.version, 0), i.id, i.seq, i.campaign_id, i.notification_id, i.category, i.title, i.body, i.data, i.created_at, i.read_at
FROM recipients r
LEFT JOIN inboxes b ON b.recipient = r.number
LEFT JOIN inbox i ON i.recipient = r.number AND i.id = :item
WHERE r.id = :recipient
