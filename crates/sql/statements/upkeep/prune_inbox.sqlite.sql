-- Forgets items that came long ago; who had not read them has fewer to read.
UPDATE inboxes SET unread = unread - u.n, version = version + 1
FROM (
  SELECT recipient, count(*) AS n FROM (SELECT recipient, read_at FROM inbox WHERE id < :bound ORDER BY id LIMIT :limit)
  WHERE read_at IS NULL GROUP BY recipient
) u
WHERE inboxes.recipient = u.recipient;
DELETE FROM inbox WHERE id IN (SELECT id FROM inbox WHERE id < :bound ORDER BY id LIMIT :limit) RETURNING id
