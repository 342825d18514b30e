-- Numbered facts above a number, in order.
SELECT {{fact}}
FROM facts WHERE last_seq > :after ORDER BY last_seq LIMIT :limit
