-- The addresses of a recipient as they are kept, those that are dead included.
SELECT id, CAST(addresses AS text), CAST(dead AS text) FROM recipients WHERE id = :recipient
