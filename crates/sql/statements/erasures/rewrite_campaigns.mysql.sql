-- Writes the plans of campaigns without a person; a key and a reason that quote them go, if the reason is still the same.
DELETE FROM rewriting;
INSERT INTO rewriting (id, text, number, was) VALUES (:ids, :plans, :keeps_keys, :whys);
UPDATE rewriting r STRAIGHT_JOIN campaigns c FORCE INDEX (PRIMARY) ON c.id = r.id
SET c.plan = r.text, c.key = CASE WHEN r.number = 1 THEN c.key END, c.why = CASE WHEN c.why = r.was THEN :word ELSE c.why END
