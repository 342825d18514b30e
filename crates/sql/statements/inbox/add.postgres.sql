-- Puts items into inboxes, one for a recipient; what is there already, by its id or from the same campaign, stays as it is.
-- The lock on a counter, held to the commit, is what makes the numbers of an inbox safe to follow. Counters are locked in
-- the order of their recipients, so that two batches wait for each other instead of dying; who has none yet is held, too,
-- so that nothing is put into the inbox of somebody who goes.
INSERT INTO inboxes (recipient, unread, version)
SELECT x.number, 0, 0 FROM recipients x
WHERE x.number = ANY(:numbers::bigint[]) AND NOT EXISTS (SELECT 1 FROM inboxes b WHERE b.recipient = x.number OFFSET 0)
ORDER BY x.number
FOR KEY SHARE
ON CONFLICT (recipient) DO NOTHING;
SELECT recipient FROM inboxes WHERE recipient = ANY(:numbers::bigint[]) ORDER BY recipient FOR UPDATE;
WITH requested AS MATERIALIZED (
  SELECT * FROM unnest(:ids::uuid[], :numbers::bigint[], :recipients::text[], :titles::text[], :bodies::text[], :datas::text[])
    WITH ORDINALITY AS r (id, number, recipient, title, body, data, nth)
  WHERE NOT EXISTS (SELECT 1 FROM inbox i WHERE i.id = r.id OFFSET 0)
    AND NOT EXISTS (SELECT 1 FROM inbox i WHERE i.campaign_id = :campaign::uuid AND i.recipient = r.number OFFSET 0)
), counted AS (
  UPDATE inboxes SET unread = unread + 1, version = version + 1 FROM requested r WHERE inboxes.recipient = r.number
  RETURNING inboxes.recipient, inboxes.version
), added AS MATERIALIZED (
  SELECT r.*, c.version FROM requested r JOIN counted c ON c.recipient = r.number
), new_items AS (
  INSERT INTO inbox (recipient, seq, id, campaign_id, notification_id, category, title, body, data, created_at)
  SELECT number, version, id, :campaign::uuid, :notification::uuid, :category, title, body, data, :now FROM added ORDER BY nth
), told AS (
  INSERT INTO facts (n, type, at, subjects, data, items)
  SELECT count(*), 'inbox.added', :now, array_agg(id ORDER BY nth), :common::text, json_agg(json_build_object('recipient_id', recipient) ORDER BY nth)::text
  FROM added
  WHERE :is_told::boolean
  HAVING count(*) > 0
)
SELECT count(*) FROM added
