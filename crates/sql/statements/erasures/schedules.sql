-- The next schedules, with what each makes.
SELECT id, template, revision FROM schedules WHERE id > :cursor ORDER BY id LIMIT :limit
