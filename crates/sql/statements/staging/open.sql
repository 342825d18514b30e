-- What others have asked for and nobody has turned to, the oldest first.
SELECT id, job, at, refused FROM staged_jobs WHERE refused IS NULL ORDER BY id LIMIT :limit
