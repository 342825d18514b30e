-- Puts items into inboxes, one for a recipient; what is there already, by its id or from the same campaign, stays as it is,
-- and nothing is put into the inbox of somebody who has gone.
DELETE FROM posting;
INSERT INTO posting (nth, id, number, recipient, title, body, data)
VALUES (:nths, :ids, :numbers, :recipients, :titles, :bodies, :datas);
DELETE FROM posting
WHERE NOT EXISTS (SELECT 1 FROM recipients x WHERE x.number = posting.number)
  OR EXISTS (SELECT 1 FROM inbox i WHERE i.id = posting.id)
  OR EXISTS (SELECT 1 FROM inbox i WHERE i.campaign_id = :campaign AND i.recipient = posting.number);
INSERT INTO inboxes (recipient, unread, version)
SELECT number, 1, 1 FROM posting WHERE true
ON CONFLICT (recipient) DO UPDATE SET unread = unread + 1, version = version + 1;
INSERT INTO inbox (recipient, seq, id, campaign_id, notification_id, category, title, body, data, created_at)
SELECT p.number, b.version, p.id, :campaign, :notification, :category, p.title, p.body, p.data, :now
FROM posting p CROSS JOIN inboxes b ON b.recipient = p.number;
INSERT INTO facts (n, type, at, subjects, data, items)
SELECT count(*), 'inbox.added', :now, json_group_array(id), :common, json_group_array(json_object('recipient_id', recipient))
FROM (SELECT id, recipient FROM posting WHERE :is_told ORDER BY nth)
HAVING count(*) > 0;
SELECT count(*) FROM posting
