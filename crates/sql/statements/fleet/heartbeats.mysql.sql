-- Writes at once what many workers have said again, of those that have not left, and over nothing that was said later.
UPDATE json_table(:rows, '$[*]' COLUMNS (
  id varchar(36) PATH '$.id', running int PATH '$.running', remote longtext PATH '$.remote', at bigint PATH '$.at')) r
STRAIGHT_JOIN workers w FORCE INDEX (PRIMARY) ON w.id = r.id
SET w.running = r.running, w.seen_at = r.at, w.remote = r.remote
WHERE w.left_at IS NULL AND (w.seen_at < r.at OR w.seen_at > :now)
