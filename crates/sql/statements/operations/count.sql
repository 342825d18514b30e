-- Counts one more job as done, if the operation has not ended.
UPDATE job_operations SET done = done + 1 WHERE id = :id AND finished_at IS NULL {{returning id job_operations id :id}}
