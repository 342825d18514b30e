-- The next notifications that were for a person, and the last one that was looked at.
WITH page AS {{materialized}} (
  SELECT id, {{as_text key}} AS key, {{as_text sent}} AS sent FROM notifications WHERE id > :cursor ORDER BY id LIMIT :limit
), searched AS (
  SELECT p.*, {{strpos}}(sent, :quoted::text) > 0 AS is_hit FROM page p
)
SELECT id, CASE WHEN is_hit THEN sent END, key FROM searched WHERE is_hit OR id = (SELECT id FROM page ORDER BY id DESC LIMIT 1) ORDER BY id
