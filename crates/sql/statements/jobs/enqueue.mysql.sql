-- Adds jobs whose id and key are free, each in its place, with their facts. A queue that is there is looked at without a lock: else
-- each would wait for the one before it, and for whoever claims within limits.
DELETE FROM incoming;
INSERT INTO incoming (id, key, hash, queue, kind, {{asked}}, state)
VALUES (:ids, :keys, :hashes, :queues, :kinds, {{asked_of_each}},
  CASE WHEN :run_at > :now THEN 'pending' ELSE 'queued' END)
ON DUPLICATE KEY UPDATE id = incoming.id;
{{incoming}}
INSERT INTO waiting (job_id, state, queue, priority, run_at, expires_at, since, attempt, tries, losses, run)
SELECT id, state, queue, priority, run_at, expires_at, :now, 0, 0, 0, 1 FROM incoming WHERE state = 'pending' ORDER BY id;
INSERT INTO ready (queue, priority, run_at, job_id, expires_at, since, attempt, tries, losses, run)
SELECT queue, priority, run_at, id, expires_at, :now, 0, 0, 0, 1 FROM incoming WHERE state = 'queued' ORDER BY id;
INSERT INTO queues (name, created_at, worked_by)
SELECT DISTINCT i.queue, :now, CASE WHEN i.queue IN (:remote) THEN 'remote' ELSE 'server' END FROM incoming i WHERE NOT EXISTS (SELECT 1 FROM queues q WHERE q.name = i.queue) ORDER BY i.queue
ON DUPLICATE KEY UPDATE name = queues.name;
INSERT INTO facts (n, type, queue, to_state, at, subjects, items)
SELECT count(*), 'job.' || state, queue, state, :now, json_arrayagg(id),
  CASE WHEN state = 'pending' THEN json_arrayagg(json_object('run_at', run_at)) END
FROM incoming GROUP BY queue, state;
SELECT count(*) FROM incoming;
