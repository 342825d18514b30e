-- Forgets what became of notifications whose window has passed, and so their keys.
SELECT id FROM notifications WHERE id < :bound ORDER BY id LIMIT :limit;
DELETE FROM notifications WHERE id < :bound ORDER BY id LIMIT :limit
