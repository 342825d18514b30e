-- Ends an erasure that still stands where its last step began; what the person was found by goes, but for the number that was theirs.
UPDATE erasures
SET stage = NULL, cursor = '', done = done + :found::bigint, finished_at = :now, recipient = NULL, quoted = NULL, quoted_within = NULL, addresses = NULL
WHERE id = :id AND finished_at IS NULL AND stage = :stage AND cursor = :cursor
{{returning id,done,created_at,finished_at,stage erasures id :id}}
