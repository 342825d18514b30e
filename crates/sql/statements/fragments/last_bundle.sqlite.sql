-- Takes what was claimed out of the bundles: the last of them in part.
SELECT bundle AS told_bundle, run_at AS told_at, job_id AS told_last FROM (SELECT bundle, run_at, job_id FROM claiming ORDER BY rowid DESC LIMIT 1) WHERE bundle IS NOT NULL;
DELETE FROM bundles
WHERE queue = :queue AND (run_at, first) <= (:told_at, :told_bundle) AND (first <> :told_bundle OR last = :told_last) AND (expires_at IS NULL OR expires_at > :now);
UPDATE bundles
SET n = n - (SELECT count(*) FROM claiming WHERE bundle = :told_bundle),
  first = (SELECT j.id FROM jobs j
    WHERE j.id > :told_last AND j.id <= bundles.last AND j.run_at = bundles.run_at AND j.queue = bundles.queue
      AND NOT EXISTS (SELECT 1 FROM finished f WHERE f.job_id = j.id)
    ORDER BY j.id LIMIT 1)
WHERE first = :told_bundle;
