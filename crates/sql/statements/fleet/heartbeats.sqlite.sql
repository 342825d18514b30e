-- Writes at once what many workers say again, of those that have not left.
UPDATE workers
SET running = r.value ->> 'running', seen_at = :now, remote = r.value ->> 'remote'
FROM json_each(:rows) r
WHERE workers.id = r.value ->> 'id' AND workers.left_at IS NULL
