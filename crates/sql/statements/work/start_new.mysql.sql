-- Adds jobs that are all new, leased to a worker: what `start` does, if the queue is open and nothing is there already. Else all is
-- taken back, by an error: two rows are too many for one variable.
SELECT max(q.name) INTO @open FROM queues q WHERE {{is_open}};
SELECT x.n INTO @none FROM (SELECT 1 AS n UNION ALL SELECT 2) x WHERE @open IS NULL;
INSERT INTO job_keys (key, job_id, content_hash, created_at) VALUES (:taken_keys, :key_ids, :key_hashes, :now);
INSERT INTO jobs (id, key, kind, queue, priority, payload, run_at, max_attempts, backoff, timeout_us, expires_at, delivery, tags, trace, created_at)
VALUES (:ids, :keys, :kinds, :queue, :priorities, :payloads, :run_ats, :max_attempts, :backoffs, :timeouts, :expire_ats, :deliveries, :tags, :traces, :now);
INSERT INTO leases (id, worker_id, queue, until, claimed_at, open) VALUES (:lease, :worker, :queue, :until, :now, :n);
INSERT INTO leased (job_id, lease_id, attempt, tries, losses, run, since) VALUES (:ids, :lease, 1, 1, 0, 1, :now);
INSERT INTO facts (n, type, queue, to_state, at, subjects, data)
SELECT :n, 'job.started', :queue, 'running', :now, json_array(:ids), :data;
