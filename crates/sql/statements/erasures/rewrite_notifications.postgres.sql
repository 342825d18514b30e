-- Writes what became of notifications without a person; a key that quotes them goes.
UPDATE notifications SET sent = r.sent, key = CASE WHEN r.keeps_key = 1 THEN notifications.key END
FROM unnest(:ids::uuid[], :sents::text[], :keeps_keys::integer[]) AS r (id, sent, keeps_key)
WHERE notifications.id = r.id
