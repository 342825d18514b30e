-- Writes at once what many workers say again, of those that have not left.
UPDATE json_table(:rows, '$[*]' COLUMNS (id varchar(36) PATH '$.id', running int PATH '$.running', remote longtext PATH '$.remote')) r
STRAIGHT_JOIN workers w FORCE INDEX (PRIMARY) ON w.id = r.id
SET w.running = r.running, w.seen_at = :now, w.remote = r.remote
WHERE w.left_at IS NULL
