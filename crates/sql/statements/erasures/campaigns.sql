-- The next campaigns: of each what can name or quote a person.
SELECT id, plan, key, why FROM campaigns WHERE id > :cursor ORDER BY id LIMIT :limit
