-- Gives the leadership up.
UPDATE leadership SET node = NULL, until = 0 WHERE id = 1 AND node = :node
