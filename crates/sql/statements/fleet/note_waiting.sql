-- Writes at once that some workers wait for jobs, of those that were not seen lately, and says what is wanted of them.
{{lock_all workers :workers}}
UPDATE workers {{by_key}} SET seen_at = :now, remote = {{with_member remote asked_at :asked_at}}
WHERE id {{in :workers uuid}} AND left_at IS NULL AND remote IS NOT NULL AND (seen_at < :before OR seen_at > :now);
SELECT n.value, CASE WHEN w.drain THEN 1 ELSE 0 END, CASE WHEN w.id IS NULL OR w.left_at IS NOT NULL THEN 1 ELSE 0 END
FROM {{listed :workers uuid}} n LEFT JOIN workers w {{by_key}} ON w.id = n.value
WHERE w.id IS NULL OR w.drain OR w.left_at IS NOT NULL
