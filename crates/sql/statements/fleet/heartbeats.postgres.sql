-- Writes at once what many workers have said again, of those that have not left, and over nothing that was said later.
SELECT id FROM workers WHERE id = ANY (ARRAY(SELECT (r ->> 'id')::uuid FROM jsonb_array_elements(:rows::jsonb) AS r)) ORDER BY id FOR NO KEY UPDATE;
UPDATE workers w
SET running = r.running, seen_at = r.at, remote = r.remote
FROM jsonb_to_recordset(:rows::jsonb) AS r (id uuid, running integer, remote text, at bigint)
WHERE w.id = r.id AND w.left_at IS NULL AND (w.seen_at < r.at OR w.seen_at > :now)
