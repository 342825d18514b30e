-- Takes a running job away from its worker and cancels it.
{{lock_lease}}
DELETE FROM settling;
INSERT INTO settling (job_id, lease_id, queue, worker_id, claimed_at, queued_at, attempt, run, tries, losses, cancel_asked_at)
SELECT h.job_id, h.lease_id, k.queue, k.worker_id, k.claimed_at, h.since, h.attempt, h.run, h.tries, h.losses, c.asked_at
FROM locked k
STRAIGHT_JOIN leased h FORCE INDEX (PRIMARY) ON h.job_id = :job AND h.lease_id = k.id
LEFT JOIN cancellations c ON c.job_id = h.job_id;
INSERT INTO attempts (job_id, attempt, run, lease_id, worker_id, queued_at, claimed_at, ended_at, cancel_asked_at, outcome, state, reason, tries, losses)
SELECT job_id, attempt, run, lease_id, worker_id, queued_at, claimed_at, :now, cancel_asked_at, 'canceled', 'canceled', :reason, tries, losses
FROM settling;
DELETE h FROM settling s STRAIGHT_JOIN leased h FORCE INDEX (PRIMARY) ON h.job_id = s.job_id;
UPDATE settling s STRAIGHT_JOIN leases l FORCE INDEX (PRIMARY) ON l.id = s.lease_id SET l.open = l.open - 1;
{{end_leases}}
DELETE c FROM settling s STRAIGHT_JOIN cancellations c FORCE INDEX (PRIMARY) ON c.job_id = s.job_id;
INSERT INTO finished (job_id, state, reason, finished_at, attempt, tries, losses, run)
SELECT job_id, 'canceled', :reason, :now, attempt, tries, losses, run FROM settling;
INSERT INTO facts (n, type, queue, from_state, to_state, at, subjects, attempts, items)
SELECT 1, 'job.canceled', queue, 'running', 'canceled', :now, json_array(job_id), json_array(attempt),
  json_array(json_object('reason', :reason, 'forced', true))
FROM settling;
SELECT job_id FROM settling;
