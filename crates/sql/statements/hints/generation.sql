-- Which generation of hints there should be.
SELECT s.installation, g.number, g.incarnation
FROM hint_generation g
CROSS JOIN stream s
WHERE g.id = 1 AND s.id = 1
