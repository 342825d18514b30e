-- Puts items into inboxes, one for a recipient; what is there already, by its id or from the same campaign, stays as it is.
-- The lock on a counter, held to the commit, is what makes the numbers of an inbox safe to follow. Counters are locked in
-- the order of their recipients, so that two batches wait for each other instead of dying; who has none yet is held, too,
-- so that nothing is put into the inbox of somebody who goes. A column beside the key keeps MySQL from walking over, and locking, all of the key.
INSERT INTO inboxes (recipient, unread, version)
SELECT x.number, 0 * x.enabled, 0 FROM recipients x FORCE INDEX (PRIMARY)
WHERE x.number IN (:numbers) AND NOT EXISTS (SELECT 1 FROM inboxes b WHERE b.recipient = x.number)
ORDER BY x.number
LOCK IN SHARE MODE
ON DUPLICATE KEY UPDATE inboxes.recipient = inboxes.recipient;
SELECT count(unread) INTO @held FROM inboxes FORCE INDEX (PRIMARY) WHERE recipient IN (:numbers) FOR UPDATE;
DELETE FROM posting;
INSERT INTO posting (nth, id, number, recipient, title, body, data)
VALUES (:nths, :ids, :numbers, :recipients, :titles, :bodies, :datas);
UPDATE posting SET nth = -1
WHERE NOT EXISTS (SELECT 1 FROM inboxes b WHERE b.recipient = posting.number)
  OR EXISTS (SELECT 1 FROM inbox i WHERE i.id = posting.id)
  OR EXISTS (SELECT 1 FROM inbox i WHERE i.campaign_id = :campaign AND i.recipient = posting.number);
DELETE FROM posting WHERE nth < 0;
UPDATE posting p STRAIGHT_JOIN inboxes b FORCE INDEX (PRIMARY) ON b.recipient = p.number SET b.unread = b.unread + 1, b.version = b.version + 1;
INSERT INTO inbox (recipient, seq, id, campaign_id, notification_id, category, title, body, data, created_at)
SELECT p.number, b.version, p.id, :campaign, :notification, :category, p.title, p.body, p.data, :now
FROM posting p STRAIGHT_JOIN inboxes b FORCE INDEX (PRIMARY) ON b.recipient = p.number;
INSERT INTO facts (n, type, at, subjects, data, items)
SELECT count(*), 'inbox.added', :now, {{gathered_by id nth}}, :common,
  '[' || group_concat(json_object('recipient_id', recipient) ORDER BY nth) || ']'
FROM posting WHERE :is_told
HAVING count(*) > 0;
SELECT count(*) FROM posting
