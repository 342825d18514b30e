-- What `start` does, for one job without a key, which is what an idle system waits for. Each statement asks whether the one before it did something.
INSERT INTO jobs (id, kind, queue, {{asked}}, trace, created_at)
SELECT :id, :kind, q.name, :priority, :payload, :run_at, :max_attempts, :backoff, :timeout_us, :expires_at, :delivery, :tags, :trace, :now
FROM queues q
WHERE {{is_open}} AND NOT EXISTS (SELECT 1 FROM jobs x WHERE x.id = :id);
INSERT INTO leases (id, worker_id, queue, until, claimed_at, open)
SELECT :lease, :worker, :queue, :until, :now, 1 WHERE row_count() > 0;
INSERT INTO leased (job_id, lease_id, attempt, tries, losses, run, since)
SELECT :id, :lease, 1, 1, 0, 1, :now WHERE row_count() > 0;
INSERT INTO facts (n, type, queue, to_state, at, subjects, data)
SELECT 1, 'job.started', :queue, 'running', :now, json_array(:id), :data WHERE row_count() > 0;
SELECT :id WHERE row_count() > 0;
