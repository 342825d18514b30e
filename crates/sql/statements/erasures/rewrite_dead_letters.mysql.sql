-- Takes what was said of a failure out of groups that still say it.
DELETE FROM rewriting;
INSERT INTO rewriting (id, was) VALUES (:groups, :messages);
UPDATE rewriting r STRAIGHT_JOIN dead_letter_groups g FORCE INDEX (PRIMARY) ON g.fingerprint = r.id SET g.message = :word WHERE g.message = r.was
