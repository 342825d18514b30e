-- Writes facts without a person. Whoever numbers facts is waited for, and waits.
SELECT last_seq FROM stream WHERE id = 1 {{for_update}};
UPDATE facts SET data = r.data, items = r.items
FROM (SELECT {{member :places bigint}} AS place, {{member :datas text}} AS data, {{member :items text}} AS items) AS r
WHERE facts.last_seq = r.place
