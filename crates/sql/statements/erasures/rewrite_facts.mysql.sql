-- Writes facts without a person. Whoever numbers facts is waited for, and waits.
SELECT last_seq INTO @held FROM stream WHERE id = 1 FOR UPDATE;
DELETE FROM rewriting;
INSERT INTO rewriting (id, number, text, items) VALUES (:places, :places, :datas, :items);
UPDATE rewriting r STRAIGHT_JOIN facts f FORCE INDEX (PRIMARY) ON f.id = r.number SET f.data = r.text, f.items = r.items WHERE f.last_seq IS NULL
