-- Records how attempts ended: attempt, next place and fact, each only if its lease holds the job.
DELETE FROM settling;
INSERT OR IGNORE INTO settling (job_id, lease_id, queue, worker_id, claimed_at, queued_at, started_at, attempt, run, tries, losses, outcome, state, reason,
  run_at, class, code, message, fingerprint, result)
SELECT h.job_id, h.lease_id, l.queue, l.worker_id, l.claimed_at, h.since, r.value ->> 'started_at', h.attempt, r.value ->> 'run', r.value ->> 'tries',
  r.value ->> 'losses', r.value ->> 'outcome', r.value ->> 'state', r.value ->> 'reason', r.value ->> 'run_at', r.value ->> 'class', r.value ->> 'code',
  r.value ->> 'message', r.value ->> 'fingerprint', r.value ->> 'result'
FROM json_each(:rows) r
JOIN leased h ON h.job_id = r.value ->> 'job' AND h.lease_id = r.value ->> 'lease' AND h.attempt = r.value ->> 'attempt'
JOIN leases l ON l.id = h.lease_id
WHERE l.worker_id = :worker OR (:worker IS NULL AND l.until = r.value ->> 'seen');
UPDATE settling
SET cancel_asked_at = (SELECT asked_at FROM cancellations c WHERE c.job_id = settling.job_id),
  reason = CASE WHEN state IN ('pending', 'retry_wait', 'queued', 'canceled') THEN (SELECT c.reason FROM cancellations c WHERE c.job_id = settling.job_id) ELSE reason END,
  state = CASE WHEN state IN ('pending', 'retry_wait', 'queued') THEN 'canceled' ELSE state END
WHERE job_id IN (SELECT job_id FROM cancellations);
INSERT INTO attempts (job_id, attempt, run, lease_id, worker_id, queued_at, claimed_at, started_at, ended_at, cancel_asked_at, outcome, state, reason,
  next_run_at, tries, losses, class, code, message, fingerprint, result)
SELECT job_id, attempt, run, lease_id, worker_id, queued_at, claimed_at, started_at, :now, cancel_asked_at, outcome, state, reason,
  CASE WHEN state IN ('pending', 'retry_wait', 'queued') THEN run_at END, tries, losses, class, code, message, fingerprint, result
FROM settling;
DELETE FROM leased WHERE job_id IN (SELECT job_id FROM settling);
UPDATE leases SET open = open - (SELECT count(*) FROM settling s WHERE s.lease_id = leases.id) WHERE id IN (SELECT lease_id FROM settling);
DELETE FROM leases WHERE open = 0 AND id IN (SELECT lease_id FROM settling);
DELETE FROM cancellations WHERE job_id IN (SELECT job_id FROM settling WHERE cancel_asked_at IS NOT NULL);
INSERT INTO finished (job_id, state, reason, finished_at, attempt, tries, losses, run, fingerprint)
SELECT job_id, state, reason, :now, attempt, tries, losses, run, CASE WHEN state = 'failed' THEN fingerprint END
FROM settling WHERE state NOT IN ('pending', 'retry_wait', 'queued');
INSERT INTO waiting (job_id, state, queue, priority, run_at, expires_at, since, attempt, tries, losses, run)
SELECT a.job_id, a.state, j.queue, j.priority, a.run_at, CASE WHEN a.run = 1 THEN j.expires_at END, :now, a.attempt, a.tries, a.losses, a.run
FROM settling a CROSS JOIN jobs j ON j.id = a.job_id
WHERE a.state IN ('pending', 'retry_wait');
INSERT INTO ready (queue, priority, run_at, job_id, expires_at, since, attempt, tries, losses, run)
SELECT j.queue, j.priority, a.run_at, a.job_id, CASE WHEN a.run = 1 THEN j.expires_at END, :now, a.attempt, a.tries, a.losses, a.run
FROM settling a CROSS JOIN jobs j ON j.id = a.job_id
WHERE a.state = 'queued';
INSERT INTO facts (n, type, queue, from_state, to_state, at, subjects, attempts, items)
SELECT count(*), 'job.' || state, queue, 'running', state, :now, json_group_array(job_id), json_group_array(attempt),
  CASE WHEN state <> 'succeeded' THEN json_group_array(json_object('class', class, 'code', code, 'message', message, 'reason', reason,
    'fingerprint', fingerprint, 'run_at', CASE WHEN state IN ('pending', 'retry_wait', 'queued') THEN run_at END)) END
FROM settling
GROUP BY queue, state;
SELECT job_id, attempt, lease_id FROM settling;
