-- Adds jobs that are all new, as nearly all are: each value goes to its place from the text, and what happened is told by who asks. What
-- is there already takes everything back, and `enqueue` looks at each. Many of one request share rows of the line. Keys in their order, so that two batches with the same wait for each other.
INSERT INTO job_keys (key, job_id, content_hash, created_at) VALUES (:taken_keys, :key_ids, :key_hashes, :now);
INSERT INTO jobs (id, key, kind, queue, {{asked}}, created_at)
VALUES (:ids, :keys, :kinds, :queues, {{asked_of_each}}, :now);
INSERT INTO waiting (job_id, state, queue, priority, run_at, expires_at, since, attempt, tries, losses, run)
VALUES (:waiting_ids, 'pending', :waiting_queues, :waiting_priorities, :waiting_run_ats, :waiting_expire_ats, :now, 0, 0, 0, 1);
INSERT INTO ready (queue, priority, run_at, job_id, expires_at, since, attempt, tries, losses, run)
VALUES (:ready_queues, :ready_priorities, :ready_run_ats, :ready_ids, :ready_expire_ats, :now, 0, 0, 0, 1);
INSERT INTO ready_batches (queue, priority, run_at, first, last, n, since)
VALUES (:batch_queues, 0, :batch_run_ats, :batch_firsts, :batch_lasts, :batch_counts, :now);
INSERT INTO queues (name, created_at, worked_by)
SELECT m.value, :now, CASE WHEN m.value IN (:remote) THEN 'remote' ELSE 'server' END FROM {{listed :names text}} m WHERE NOT EXISTS (SELECT 1 FROM queues q WHERE q.name = m.value) ORDER BY m.value
ON DUPLICATE KEY UPDATE name = queues.name;
INSERT INTO facts (n, type, queue, to_state, at, subjects, items)
VALUES (:fact_ns, :fact_types, :fact_queues, :fact_states, :now, :fact_subjects, :fact_items);
