-- Numbered facts above a number, in order.
SELECT last_seq, n, type, queue, from_state, to_state, at, subject, array_to_json(subjects)::text, array_to_json(attempts)::text, data, items
FROM facts WHERE last_seq > :after ORDER BY last_seq LIMIT :limit
