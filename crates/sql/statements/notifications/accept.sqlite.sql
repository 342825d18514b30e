-- Writes a notification down with its fact, if its id and key are free, and shows who has them then.
INSERT INTO facts (n, type, at, subject, data)
SELECT 1, 'notification.accepted', :now, :subject, :common
WHERE NOT EXISTS (SELECT 1 FROM notifications WHERE id = :id OR key = :key);
INSERT INTO notifications (id, key, content_hash, sent, created_at) VALUES (:id, :key, :hash, :sent, :now)
ON CONFLICT DO NOTHING;
SELECT id, content_hash, sent FROM notifications WHERE id = :id OR key = :key
