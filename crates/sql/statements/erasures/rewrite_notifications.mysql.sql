-- Writes what became of notifications without a person; a key that quotes them goes.
DELETE FROM rewriting;
INSERT INTO rewriting (id, text, number) VALUES (:ids, :sents, :keeps_keys);
UPDATE rewriting r STRAIGHT_JOIN notifications n FORCE INDEX (PRIMARY) ON n.id = r.id SET n.sent = r.text, n.key = CASE WHEN r.number = 1 THEN n.key END
