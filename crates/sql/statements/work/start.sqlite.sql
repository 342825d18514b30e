-- Adds jobs whose id and key are free, leased to a worker, with the fact that tells both moves of each: what `enqueue` and
-- `claim` would do, without a place on the way. In an open queue only, else nothing is done.
DELETE FROM incoming;
INSERT OR IGNORE INTO incoming (id, key, hash, queue, kind, {{asked}})
SELECT :ids, :keys, :hashes, name, :kinds, {{asked_of_each}}
FROM queues
WHERE name = :queue AND NOT paused AND max_running IS NULL AND rate IS NULL;
INSERT INTO job_keys (key, job_id, content_hash, created_at)
SELECT key, id, hash, :now FROM incoming WHERE key IS NOT NULL
ON CONFLICT (key) DO NOTHING;
DELETE FROM incoming
WHERE EXISTS (SELECT 1 FROM jobs j WHERE j.id = incoming.id)
  OR (key IS NOT NULL AND NOT EXISTS (SELECT 1 FROM job_keys k WHERE k.key = incoming.key AND k.job_id = incoming.id));
INSERT INTO jobs (id, key, kind, queue, {{asked}}, created_at)
SELECT id, key, kind, queue, {{asked}}, :now FROM incoming;
INSERT INTO leases (id, worker_id, queue, until, claimed_at, open)
SELECT :lease, :worker, :queue, :until, :now, count(*) FROM incoming HAVING count(*) > 0;
INSERT INTO leased (job_id, lease_id, attempt, tries, losses, run, since)
SELECT id, :lease, 1, 1, 0, 1, :now FROM incoming;
INSERT INTO facts (n, type, queue, to_state, at, subjects, data)
SELECT count(*), 'job.started', :queue, 'running', :now, json_group_array(id), :data
FROM incoming HAVING count(*) > 0;
SELECT id FROM incoming;
