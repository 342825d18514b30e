-- A node has stopped in order.
DELETE FROM nodes WHERE id = :id
