-- Takes everything out of deliveries that have ended but what their counters need: what they carried, what was answered, and what
-- others wrote.
DELETE FROM job_keys WHERE key = (SELECT j.key FROM jobs j WHERE j.id = :ids AND :keeps_keys = 0) AND job_id = :ids;
UPDATE jobs SET payload = :erased, key = CASE WHEN :keeps_keys = 1 THEN key END, tags = :tags WHERE id = :ids;
UPDATE attempts SET message = CASE WHEN message IS NOT NULL THEN :word END, result = NULL, reason = CASE WHEN state IN ('succeeded', 'failed', 'skipped', 'uncertain', 'pending', 'queued', 'retry_wait') THEN reason END WHERE job_id = :ids;
UPDATE successes SET result = NULL WHERE job_id = :ids;
UPDATE late_results SET result = NULL WHERE job_id = :ids;
UPDATE checkpoints SET lease_id = NULL, cursor = NULL, progress = NULL, moved = 0 WHERE job_id = :ids;
UPDATE finished SET reason = NULL WHERE job_id = :ids AND state NOT IN ('succeeded', 'failed', 'skipped', 'uncertain')
