-- Ids of recipients from one on, in their order.
SELECT id FROM recipients WHERE id >= :from ORDER BY id LIMIT :limit
