-- Writes a notification down with its fact, if its id and key are free, and shows who has them then. One for somebody who was
-- erased or is being erased has nothing to say, which no row may: the whole transaction is refused.
INSERT INTO facts (n, type, at, subject, data)
SELECT 1, 'notification.accepted', :now, :subject, :common
WHERE NOT EXISTS (SELECT 1 FROM notifications WHERE id = :id OR key = :key);
INSERT INTO notifications (id, key, content_hash, sent, created_at)
VALUES (:id, :key, :hash, CASE
  WHEN NOT EXISTS (SELECT 1 FROM erasures e WHERE e.number IN (SELECT value FROM json_each(:numbers)))
    AND NOT EXISTS (SELECT 1 FROM erasures e WHERE e.recipient IN (SELECT value FROM json_each(:recipients))) THEN :sent
END, :now)
ON CONFLICT DO NOTHING;
SELECT id, content_hash, sent FROM notifications WHERE id = :id OR key = :key
