-- The next deliveries that can be to a person, and the last job that was looked at. JSON that a client wrote may escape anything.
WITH page AS {{materialized}} (
  SELECT id, kind, {{as_text key}} AS key, {{as_text payload}} AS payload, {{as_text tags}} AS tags FROM jobs WHERE id > :cursor ORDER BY id LIMIT :limit
), searched AS (
  SELECT p.*, kind = 'delivery' AND ({{strpos}}(payload, :quoted::text) > 0 OR {{strpos}}(payload, '\u') > 0 OR {{strpos}}(payload, '\/') > 0) AS is_hit FROM page p
)
SELECT id, CASE WHEN is_hit THEN payload END, key, tags FROM searched WHERE is_hit OR id = (SELECT id FROM page ORDER BY id DESC LIMIT 1) ORDER BY id
