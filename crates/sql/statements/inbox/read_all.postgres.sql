-- Notes that everything in an inbox is read, and shows the counter as it is then.
SELECT b.recipient FROM inboxes b WHERE b.recipient = (SELECT number FROM recipients WHERE id = :recipient) FOR UPDATE;
WITH newly_read AS (
  UPDATE inbox SET read_at = :now
  WHERE recipient = (SELECT number FROM recipients WHERE id = :recipient) AND read_at IS NULL
  RETURNING recipient, id, seq
), counted AS MATERIALIZED (
  SELECT recipient, count(*) AS n, array_agg(id ORDER BY seq) AS ids FROM newly_read GROUP BY recipient
), told AS (
  INSERT INTO facts (n, type, at, subjects, data)
  SELECT n, 'inbox.read', :now, ids, json_build_object('recipient_id', :recipient::text)::text FROM counted
)
UPDATE inboxes SET unread = unread - n.n, version = version + 1 FROM counted n WHERE inboxes.recipient = n.recipient;
SELECT coalesce(b.unread, 0), coalesce(b.version, 0)
FROM recipients r LEFT JOIN inboxes b ON b.recipient = r.number
WHERE r.id = :recipient
