-- Writes a notification down with its fact, if its id and key are free, and shows who has them then. One for somebody who was
-- erased or is being erased has nothing to say, which no row may: the whole transaction is refused.
{{hold_marks}}
INSERT INTO notifications (id, key, content_hash, sent, created_at)
SELECT :id, :key, :hash, CASE
  WHEN NOT EXISTS (SELECT 1 FROM erasures e WHERE e.number {{in :numbers bigint}})
    AND NOT EXISTS (SELECT 1 FROM erasures e WHERE e.recipient {{in :recipients text}}) THEN :sent
END, :now
WHERE true
{{unless_taken notifications id}};
INSERT INTO facts (n, type, at, subject, data)
SELECT 1, 'notification.accepted', :now, :subject, :common WHERE {{has_changed}};
SELECT id, content_hash, sent FROM notifications WHERE id = :id
UNION
SELECT id, content_hash, sent FROM notifications WHERE key = :key
