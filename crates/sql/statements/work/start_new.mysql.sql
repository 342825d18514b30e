-- Adds jobs that are all new, leased to a worker: what `start` does, if the queue is open and nothing is there already. Else all is
-- taken back, by an error: no lease is of no queue.
INSERT INTO job_keys (key, job_id, content_hash, created_at) VALUES (:taken_keys, :key_ids, :key_hashes, :now);
INSERT INTO leases (id, worker_id, queue, until, claimed_at, open)
VALUES (:lease, :worker, (SELECT max(q.name) FROM queues q WHERE {{is_open}}), :until, :now, :n);
INSERT INTO jobs (id, key, kind, queue, {{asked}}, created_at)
VALUES (:ids, :keys, :kinds, :queue, {{asked_of_each}}, :now);
INSERT INTO leased (job_id, lease_id, attempt, tries, losses, run, since) VALUES (:ids, :lease, 1, 1, 0, 1, :now);
INSERT INTO facts (n, type, queue, to_state, at, subjects, data)
VALUES (:n, 'job.started', :queue, 'running', :now, :subjects, :data);
