-- Records how attempts ended: attempt, next place and fact, each only if its lease holds the job. The
-- leases are locked first, in one order for all, so that what follows sees every result that
-- was recorded and every wish to cancel that was heard before.
DELETE FROM locked;
INSERT INTO locked (id, worker_id, queue, until, claimed_at)
SELECT l.id, l.worker_id, l.queue, l.until, l.claimed_at
FROM json_table(:leases, '$[*]' COLUMNS (id varchar(36) PATH '$')) x
STRAIGHT_JOIN leases l FORCE INDEX (PRIMARY) ON l.id = x.id
FOR UPDATE /*!80000 OF l */;
DELETE FROM unpacking_leased;
INSERT INTO unpacking_leased (job_id, lease_id)
SELECT r.job, r.lease FROM json_table(:rows, '$[*]' COLUMNS (lease varchar(36) PATH '$.lease', job varchar(36) PATH '$.job')) r
ON DUPLICATE KEY UPDATE job_id = unpacking_leased.job_id;
{{unpack_leased}}
DELETE FROM settling;
INSERT INTO settling (job_id, lease_id, queue, worker_id, claimed_at, queued_at, started_at, attempt, run, tries, losses, outcome, state, reason,
  run_at, class, code, message, fingerprint, result, cancel_asked_at)
SELECT h.job_id, h.lease_id, k.queue, k.worker_id, k.claimed_at, h.since, r.started_at, h.attempt, r.run, r.tries, r.losses, r.outcome,
  CASE WHEN c.job_id IS NOT NULL AND r.state IN ('pending', 'retry_wait', 'queued') THEN 'canceled' ELSE r.state END,
  CASE WHEN c.job_id IS NOT NULL AND r.state IN ('pending', 'retry_wait', 'queued', 'canceled') THEN c.reason ELSE r.reason END,
  r.run_at, r.class, r.code, r.message, r.fingerprint, r.result, c.asked_at
FROM json_table(:rows, '$[*]' COLUMNS (
  lease varchar(36) PATH '$.lease', job varchar(36) PATH '$.job', attempt int PATH '$.attempt', run int PATH '$.run', tries int PATH '$.tries',
  losses int PATH '$.losses', started_at bigint PATH '$.started_at', outcome varchar(16) PATH '$.outcome', state varchar(16) PATH '$.state',
  reason longtext PATH '$.reason', run_at bigint PATH '$.run_at', class varchar(32) PATH '$.class', code longtext PATH '$.code',
  message longtext PATH '$.message', fingerprint varchar(64) PATH '$.fingerprint', result longtext PATH '$.result', seen bigint PATH '$.seen')) r
STRAIGHT_JOIN locked k ON k.id = r.lease AND (k.worker_id = :worker OR (:worker IS NULL AND k.until = r.seen))
STRAIGHT_JOIN leased h FORCE INDEX (PRIMARY) ON h.job_id = r.job AND h.lease_id = r.lease AND h.attempt = r.attempt
LEFT JOIN cancellations c ON c.job_id = r.job
ON DUPLICATE KEY UPDATE job_id = settling.job_id;
INSERT INTO attempts (job_id, attempt, run, lease_id, worker_id, queued_at, claimed_at, started_at, ended_at, cancel_asked_at, outcome, state, reason,
  next_run_at, tries, losses, class, code, message, fingerprint, result)
SELECT job_id, attempt, run, lease_id, worker_id, queued_at, claimed_at, started_at, :now, cancel_asked_at, outcome, state, reason,
  CASE WHEN state IN ('pending', 'retry_wait', 'queued') THEN run_at END, tries, losses, class, code, message, fingerprint, result
FROM settling ORDER BY job_id;
DELETE h FROM settling s STRAIGHT_JOIN leased h FORCE INDEX (PRIMARY) ON h.job_id = s.job_id;
UPDATE (SELECT lease_id, count(*) AS n FROM settling GROUP BY lease_id) s STRAIGHT_JOIN leases l FORCE INDEX (PRIMARY) ON l.id = s.lease_id SET l.open = l.open - s.n;
{{end_leases}}
DELETE c FROM settling s STRAIGHT_JOIN cancellations c FORCE INDEX (PRIMARY) ON c.job_id = s.job_id WHERE s.cancel_asked_at IS NOT NULL;
INSERT INTO finished (job_id, state, reason, finished_at, attempt, tries, losses, run, fingerprint)
SELECT job_id, state, reason, :now, attempt, tries, losses, run, CASE WHEN state = 'failed' THEN fingerprint END
FROM settling WHERE state NOT IN ('pending', 'retry_wait', 'queued') ORDER BY job_id;
INSERT INTO waiting (job_id, state, queue, priority, run_at, expires_at, since, attempt, tries, losses, run)
SELECT a.job_id, a.state, j.queue, j.priority, a.run_at, CASE WHEN a.run = 1 THEN j.expires_at END, :now, a.attempt, a.tries, a.losses, a.run
FROM settling a STRAIGHT_JOIN jobs j FORCE INDEX (PRIMARY) ON j.id = a.job_id
WHERE a.state IN ('pending', 'retry_wait');
INSERT INTO ready (queue, priority, run_at, job_id, expires_at, since, attempt, tries, losses, run)
SELECT j.queue, j.priority, a.run_at, a.job_id, CASE WHEN a.run = 1 THEN j.expires_at END, :now, a.attempt, a.tries, a.losses, a.run
FROM settling a STRAIGHT_JOIN jobs j FORCE INDEX (PRIMARY) ON j.id = a.job_id
WHERE a.state = 'queued';
INSERT INTO facts (n, type, queue, from_state, to_state, at, subjects, attempts, items)
SELECT count(*), 'job.' || state, queue, 'running', state, :now, json_arrayagg(job_id), json_arrayagg(attempt),
  CASE WHEN state <> 'succeeded' THEN json_arrayagg(json_object('class', class, 'code', code, 'message', message, 'reason', reason,
    'fingerprint', fingerprint, 'run_at', CASE WHEN state IN ('pending', 'retry_wait', 'queued') THEN run_at END)) END
FROM settling
GROUP BY queue, state;
SELECT job_id, attempt, lease_id FROM settling;
