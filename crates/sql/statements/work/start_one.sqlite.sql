-- What `start` does, for one job without a key, which is what an idle system waits for.
INSERT INTO jobs (id, kind, queue, {{asked}}, created_at)
SELECT :id, :kind, name, {{asked_of_one}}, :now
FROM queues
WHERE name = :queue AND NOT paused AND max_running IS NULL AND rate IS NULL AND NOT EXISTS (SELECT 1 FROM jobs x WHERE x.id = :id);
SELECT :id AS told_id WHERE changes() > 0;
INSERT INTO leases (id, worker_id, queue, until, claimed_at, open)
SELECT :lease, :worker, :queue, :until, :now, 1 WHERE :told_id IS NOT NULL;
INSERT INTO leased (job_id, lease_id, attempt, tries, losses, run, since) VALUES (:told_id, :lease, 1, 1, 0, 1, :now);
INSERT INTO facts (n, type, queue, to_state, at, subjects, data)
VALUES (1, 'job.started', :queue, 'running', :now, json_array(:told_id), :data);
SELECT job_id FROM leased WHERE job_id = :id AND lease_id = :lease;
