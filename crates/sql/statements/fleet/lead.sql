-- Wins or keeps the leadership; a change of leader is a fact. The first statement locks the row.
-- A term that ends later than two terms from now is from a clock that was put back since.
UPDATE leadership SET until = until WHERE id = 1;
INSERT INTO facts (n, type, at, subject)
SELECT 1, 'leader.changed', :now, :subject FROM leadership WHERE id = 1 AND (node IS NULL OR node <> :node) AND (until < :now OR until > :latest);
UPDATE leadership SET node = :node, until = :until WHERE id = 1 AND (node = :node OR until < :now OR until > :latest);
SELECT CASE WHEN node = :node THEN 1 ELSE 0 END FROM leadership WHERE id = 1
