-- Notes that everything in an inbox is read, and shows the counter as it is then.
{{hold_inbox}}
INSERT INTO facts (n, type, at, subjects, data)
SELECT count(*), 'inbox.read', :now, {{gathered_by id seq}}, json_object('recipient_id', :recipient)
FROM (
  SELECT id, seq FROM inbox WHERE recipient = (SELECT number FROM recipients WHERE id = :recipient) AND read_at IS NULL ORDER BY seq
) x
HAVING count(*) > 0;
UPDATE inboxes SET unread = 0, version = version + 1
WHERE recipient = (SELECT number FROM recipients WHERE id = :recipient) AND unread > 0;
UPDATE inbox {{by_key}} SET read_at = :now
WHERE recipient = (SELECT number FROM recipients WHERE id = :recipient) AND read_at IS NULL;
SELECT coalesce(b.unread, 0), coalesce(b.version, 0)
FROM recipients r LEFT JOIN inboxes b ON b.recipient = r.number
WHERE r.id = :recipient
