-- How far some jobs have come by themselves.
SELECT job_id, seq, era, attempt, cursor, progress, CASE WHEN moved THEN 1 ELSE 0 END, at
FROM checkpoints
WHERE job_id {{in :ids uuid}}
ORDER BY job_id
