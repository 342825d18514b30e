-- What was claimed is no longer in line.
DELETE r FROM claiming c STRAIGHT_JOIN ready r FORCE INDEX (PRIMARY)
ON r.queue = @open AND r.priority = c.priority AND r.run_at = c.run_at AND r.job_id = c.job_id;
