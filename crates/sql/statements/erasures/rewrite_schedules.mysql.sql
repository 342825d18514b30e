-- Writes schedules without a person, each as its next revision: what was about to be made by the last one is overtaken.
DELETE FROM rewriting;
INSERT INTO rewriting (id, number, text) VALUES (:ids, :revisions, :templates);
UPDATE rewriting r STRAIGHT_JOIN schedules s FORCE INDEX (PRIMARY) ON s.id = r.id SET s.template = r.text, s.revision = s.revision + 1 WHERE s.revision = r.number
