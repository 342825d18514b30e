-- Leases the most urgent jobs of each wanted queue that has no limits of its own. Each queue is
-- walked from its head and no further than wanted.
DELETE FROM moving;
INSERT INTO moving (job_id, lease_id, queue, priority, run_at, since, attempt, tries, losses, run)
SELECT r.job_id, w.value ->> 'lease', r.queue, r.priority, r.run_at, r.since, r.attempt, r.tries, r.losses, r.run
FROM json_each(:wants) w
JOIN queues q ON q.name = w.value ->> 'queue' AND NOT q.paused AND q.max_running IS NULL AND q.rate IS NULL
JOIN ready r ON r.job_id IN (
  SELECT h.job_id
  FROM ready h
  WHERE h.queue = q.name AND (h.expires_at IS NULL OR h.expires_at > :now)
  ORDER BY h.queue, h.priority, h.run_at, h.job_id
  LIMIT w.value ->> 'k');
INSERT INTO leases (id, worker_id, queue, until, claimed_at, open)
SELECT lease_id, :worker, queue, :until, :now, count(*) FROM moving GROUP BY lease_id, queue;
INSERT INTO leased (job_id, lease_id, attempt, tries, losses, run, since)
SELECT job_id, lease_id, attempt + 1, tries + 1, losses, run, since FROM moving;
DELETE FROM ready WHERE job_id IN (SELECT job_id FROM moving);
INSERT INTO facts (n, type, queue, from_state, to_state, at, subjects, attempts, data)
SELECT count(*), 'job.running', queue, 'queued', 'running', :now, json_group_array(job_id), json_group_array(attempt + 1), json_object('worker', :worker_name)
FROM moving GROUP BY queue, lease_id;
SELECT c.job_id, c.lease_id, c.attempt + 1, c.tries + 1, c.losses, c.run, c.since, j.kind, c.queue, j.payload, j.max_attempts, j.backoff, j.timeout_us, j.expires_at, j.delivery, j.created_at
FROM moving c
JOIN jobs j ON j.id = c.job_id
ORDER BY c.queue, c.priority, c.run_at, c.job_id;
