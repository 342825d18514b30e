-- Writes at once what many workers have said again, of those that have not left, and over nothing that was said later.
UPDATE workers
SET running = r.value ->> 'running', seen_at = r.value ->> 'at', remote = r.value ->> 'remote'
FROM json_each(:rows) r
WHERE workers.id = r.value ->> 'id' AND workers.left_at IS NULL AND (workers.seen_at < r.value ->> 'at' OR workers.seen_at > :now)
