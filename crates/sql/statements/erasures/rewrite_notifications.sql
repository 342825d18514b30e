-- Writes what became of notifications without a person; a key that quotes them goes.
UPDATE notifications SET sent = r.sent, key = CASE WHEN r.keeps_key = 1 THEN notifications.key END
FROM (SELECT {{member :ids uuid}} AS id, {{member :sents text}} AS sent, {{member :keeps_keys integer}} AS keeps_key) AS r
WHERE notifications.id = r.id
