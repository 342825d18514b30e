-- The next campaigns: of each what can name or quote a person.
SELECT id, {{as_text plan}}, {{as_text key}}, {{as_text why}} FROM campaigns WHERE id > :cursor ORDER BY id LIMIT :limit
