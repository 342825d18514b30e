-- What is a job is staged no more.
DELETE FROM staged_jobs WHERE id {{in :ids uuid}} AND EXISTS (SELECT 1 FROM jobs j WHERE j.id = staged_jobs.id)
