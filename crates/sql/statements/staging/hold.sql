-- Holds staged jobs, so that nobody else enqueues them at the same time.
SELECT id FROM staged_jobs WHERE id {{in :ids uuid}} ORDER BY id {{for_update}}
