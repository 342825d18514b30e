-- Forgets staged jobs that were refused long ago.
SELECT id FROM staged_jobs WHERE id < :bound AND refused IS NOT NULL ORDER BY id LIMIT :limit;
DELETE FROM staged_jobs WHERE id < :bound AND refused IS NOT NULL ORDER BY id LIMIT :limit
