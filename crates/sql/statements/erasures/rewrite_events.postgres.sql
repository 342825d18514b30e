-- Writes facts without a person. Whoever numbers facts is waited for, and waits.
SELECT last_seq FROM stream WHERE id = 1 FOR UPDATE;
UPDATE facts SET data = r.data, items = r.items
FROM unnest(:places::bigint[], :datas::text[], :items::text[]) AS r (place, data, items)
WHERE facts.last_seq = r.place
