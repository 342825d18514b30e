-- Who leads now.
SELECT node FROM leadership WHERE id = 1 AND until >= :now AND node IS NOT NULL
