-- A staged job.
SELECT id, job, at, refused FROM staged_jobs WHERE id = :id
