-- Forgets numbered facts that are old.
DELETE FROM facts WHERE id IN (SELECT id FROM facts WHERE at < :cutoff AND last_seq IS NOT NULL ORDER BY at LIMIT :limit) RETURNING id
