-- Campaigns with their books, the newest first.
{{campaign}}
WHERE c.id < :before
ORDER BY c.id DESC
LIMIT :limit
