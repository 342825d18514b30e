-- The next campaigns: of each what can name or quote a person.
SELECT id, CAST(plan AS text), CAST(key AS text), CAST(why AS text) FROM campaigns WHERE id > :cursor ORDER BY id LIMIT :limit
