-- The next schedules, with what each makes.
SELECT id, CAST(template AS text), revision FROM schedules WHERE id > :cursor ORDER BY id LIMIT :limit
