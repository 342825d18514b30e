-- Takes the keys of what is incoming, in their order, so that two batches with the same keys wait for each other instead of dying; what
-- is there already, or whose key is another's, comes no further.
INSERT INTO job_keys (key, job_id, content_hash, created_at)
SELECT key, id, hash, :now FROM incoming WHERE key IS NOT NULL ORDER BY key, id
ON DUPLICATE KEY UPDATE job_id = job_keys.job_id;
DELETE FROM incoming
WHERE EXISTS (SELECT 1 FROM jobs j WHERE j.id = incoming.id)
  OR (key IS NOT NULL AND NOT EXISTS (SELECT 1 FROM job_keys k WHERE k.key = incoming.key AND k.job_id = incoming.id));
INSERT INTO jobs (id, key, kind, queue, {{asked}}, created_at)
SELECT id, key, kind, queue, {{asked}}, :now FROM incoming ORDER BY id;
