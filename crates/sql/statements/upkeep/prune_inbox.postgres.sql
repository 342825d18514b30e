-- Forgets items that came long ago; who had not read them has fewer to read. Counters are locked first, as everywhere.
SELECT recipient FROM inboxes
WHERE recipient = ANY (ARRAY(SELECT recipient FROM inbox WHERE id < :bound ORDER BY id LIMIT :limit))
ORDER BY recipient
FOR UPDATE;
WITH pruned AS (
  DELETE FROM inbox WHERE id = ANY (ARRAY(SELECT id FROM inbox WHERE id < :bound ORDER BY id LIMIT :limit))
  RETURNING recipient, read_at
), were_unread AS MATERIALIZED (
  SELECT recipient, count(*) AS n FROM pruned WHERE read_at IS NULL GROUP BY recipient
), counted AS (
  UPDATE inboxes SET unread = unread - u.n, version = version + 1 FROM were_unread u WHERE inboxes.recipient = u.recipient
)
SELECT recipient FROM pruned
