-- Forgets what became of notifications whose window has passed, and so their keys.
DELETE FROM notifications WHERE id IN (SELECT id FROM notifications WHERE id < :bound ORDER BY id LIMIT :limit) RETURNING id
