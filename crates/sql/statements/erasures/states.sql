-- The states of jobs, and whether somebody holds them, whatever else there is of each.
SELECT id, state, CASE WHEN until IS NULL THEN 0 ELSE 1 END FROM job_places WHERE id {{in :ids uuid}}
