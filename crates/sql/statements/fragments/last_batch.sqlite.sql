-- Takes what was claimed out of the batches: the last of them in part.
SELECT batch AS told_batch, run_at AS told_at, job_id AS told_last FROM (SELECT batch, run_at, job_id FROM claiming ORDER BY rowid DESC LIMIT 1) WHERE batch IS NOT NULL;
DELETE FROM ready_batches
WHERE queue = :queue AND (run_at, first) <= (:told_at, :told_batch) AND (first <> :told_batch OR last = :told_last) AND (expires_at IS NULL OR expires_at > :now);
UPDATE ready_batches
SET n = n - (SELECT count(*) FROM claiming WHERE batch = :told_batch),
  first = (SELECT j.id FROM jobs j
    WHERE j.id > :told_last AND j.id <= ready_batches.last AND j.run_at = ready_batches.run_at AND j.queue = ready_batches.queue
      AND NOT EXISTS (SELECT 1 FROM finished f WHERE f.job_id = j.id)
    ORDER BY j.id LIMIT 1)
WHERE first = :told_batch;
