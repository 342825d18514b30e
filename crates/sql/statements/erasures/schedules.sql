-- The next schedules, with what each makes.
SELECT id, {{as_text template}}, revision FROM schedules WHERE id > :cursor ORDER BY id LIMIT :limit
