-- Adds jobs whose id and key are free, each in its place, with their facts.
DELETE FROM incoming;
INSERT OR IGNORE INTO incoming (id, key, hash, queue, kind, {{asked}}, state)
VALUES (:ids, :keys, :hashes, :queues, :kinds, {{asked_of_each}},
  CASE WHEN :run_at > :now THEN 'pending' ELSE 'queued' END);
INSERT INTO job_keys (key, job_id, content_hash, created_at)
SELECT key, id, hash, :now FROM incoming WHERE key IS NOT NULL
ON CONFLICT (key) DO NOTHING;
DELETE FROM incoming
WHERE EXISTS (SELECT 1 FROM jobs j WHERE j.id = incoming.id)
  OR (key IS NOT NULL AND NOT EXISTS (SELECT 1 FROM job_keys k WHERE k.key = incoming.key AND k.job_id = incoming.id));
INSERT INTO jobs (id, key, kind, queue, {{asked}}, created_at)
SELECT id, key, kind, queue, {{asked}}, :now FROM incoming;
INSERT INTO waiting (job_id, state, queue, priority, run_at, expires_at, since, attempt, tries, losses, run)
SELECT id, state, queue, priority, run_at, expires_at, :now, 0, 0, 0, 1 FROM incoming WHERE state = 'pending';
INSERT INTO ready (queue, priority, run_at, job_id, expires_at, since, attempt, tries, losses, run)
SELECT queue, priority, run_at, id, expires_at, :now, 0, 0, 0, 1 FROM incoming WHERE state = 'queued';
INSERT INTO queues (name, created_at, worked_by)
SELECT DISTINCT queue, :now, CASE WHEN queue IN (SELECT value FROM json_each(:remote)) THEN 'remote' ELSE 'server' END FROM incoming WHERE true
ON CONFLICT (name) DO NOTHING;
INSERT INTO facts (n, type, queue, to_state, at, subjects, items)
SELECT count(*), 'job.' || state, queue, state, :now, json_group_array(id),
  CASE WHEN state = 'pending' THEN json_group_array(json_object('run_at', run_at)) END
FROM incoming GROUP BY queue, state;
SELECT count(*) FROM incoming;
