-- Forgets staged jobs that were refused long ago.
DELETE FROM staged_jobs
WHERE id IN (SELECT id FROM staged_jobs WHERE id < :bound AND refused IS NOT NULL ORDER BY id LIMIT :limit)
RETURNING id
