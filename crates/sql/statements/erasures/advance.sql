-- Moves an erasure on, if it still stands where its step began.
UPDATE erasures SET stage = :to_stage, cursor = :to_cursor, done = done + :found::bigint
WHERE id = :id AND finished_at IS NULL AND stage = :stage AND cursor = :cursor
{{returning id,done,created_at,finished_at,stage erasures id :id}}
