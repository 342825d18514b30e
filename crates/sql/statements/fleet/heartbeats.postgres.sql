-- Writes at once what many workers say again, of those that have not left.
SELECT id FROM workers WHERE id = ANY (ARRAY(SELECT (r ->> 'id')::uuid FROM jsonb_array_elements(:rows::jsonb) AS r)) ORDER BY id FOR NO KEY UPDATE;
UPDATE workers w
SET running = r.running, seen_at = :now, remote = r.remote
FROM jsonb_to_recordset(:rows::jsonb) AS r (id uuid, running integer, remote text)
WHERE w.id = r.id AND w.left_at IS NULL
