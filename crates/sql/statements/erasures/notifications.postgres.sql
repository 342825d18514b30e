-- The next notifications that were for a person, and the last one that was looked at.
WITH p AS MATERIALIZED (
  SELECT id, key, sent FROM notifications WHERE id > :cursor ORDER BY id LIMIT :limit
), h AS (
  SELECT p.*, strpos(sent, :quoted::text) > 0 AS is_hit FROM p
)
SELECT id, CASE WHEN is_hit THEN sent END, key FROM h WHERE is_hit OR id = (SELECT id FROM p ORDER BY id DESC LIMIT 1) ORDER BY id
