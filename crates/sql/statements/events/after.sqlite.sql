-- Numbered facts above a number, in order.
SELECT last_seq, n, type, queue, from_state, to_state, at, subject, subjects, attempts, data, items
FROM facts WHERE last_seq > :after ORDER BY last_seq LIMIT :limit
