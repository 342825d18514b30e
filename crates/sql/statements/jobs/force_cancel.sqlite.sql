-- Takes a running job away from its worker and cancels it.
DELETE FROM moving;
INSERT INTO moving (job_id, queue, since, attempt, tries, losses, run, lease_id)
SELECT job_id, queue, since, attempt, tries, losses, run, lease_id FROM held WHERE job_id = :job;
INSERT INTO attempts (job_id, attempt, run, lease_id, worker_id, queued_at, claimed_at, ended_at, cancel_asked_at, outcome, state, reason, tries, losses)
SELECT job_id, attempt, run, lease_id, worker_id, since, claimed_at, :now,
  (SELECT asked_at FROM cancellations c WHERE c.job_id = h.job_id), 'canceled', 'canceled', :reason, tries, losses
FROM held h WHERE job_id = :job;
DELETE FROM leased WHERE job_id = :job;
UPDATE leases SET open = open - 1 WHERE id IN (SELECT lease_id FROM moving);
DELETE FROM leases WHERE open = 0 AND id IN (SELECT lease_id FROM moving);
DELETE FROM cancellations WHERE job_id IN (SELECT job_id FROM moving);
INSERT INTO finished (job_id, state, reason, finished_at, attempt, tries, losses, run)
SELECT job_id, 'canceled', :reason, :now, attempt, tries, losses, run FROM moving;
INSERT INTO facts (n, type, queue, from_state, to_state, at, subjects, attempts, items)
SELECT 1, 'job.canceled', queue, 'running', 'canceled', :now, json_array(job_id), json_array(attempt),
  json_array(json_object('reason', :reason, 'forced', json('true')))
FROM moving;
SELECT job_id FROM moving;
