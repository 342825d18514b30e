-- Adds jobs whose id and key are free, leased to a worker, with the fact that tells both moves of each: what `enqueue` and
-- `claim` would do, without a place on the way. In an open queue only, else nothing is done.
DELETE FROM incoming;
INSERT INTO incoming (id, key, hash, queue, kind, {{asked}})
VALUES (:ids, :keys, :hashes, :queue, :kinds, {{asked_of_each}})
ON DUPLICATE KEY UPDATE id = incoming.id;
SELECT max(q.name) INTO @open FROM queues q WHERE {{is_open}};
DELETE FROM incoming WHERE @open IS NULL;
{{incoming}}
INSERT INTO leases (id, worker_id, queue, until, claimed_at, open)
SELECT :lease, :worker, :queue, :until, :now, count(*) FROM incoming HAVING count(*) > 0;
INSERT INTO leased (job_id, lease_id, attempt, tries, losses, run, since)
SELECT id, :lease, 1, 1, 0, 1, :now FROM incoming ORDER BY id;
INSERT INTO facts (n, type, queue, to_state, at, subjects, data)
SELECT count(*), 'job.started', :queue, 'running', :now, json_arrayagg(id), :data
FROM incoming HAVING count(*) > 0;
SELECT id FROM incoming;
