-- Records first attempts that succeeded: a narrow row each, and what they have in common once. A job
-- that was asked to stop is left to `settle`.
DELETE FROM succeeding;
INSERT INTO succeeding (job_id, lease_id, place, queued_at, started_at, result)
SELECT h.job_id, h.lease_id, :places, :queued_ats, :started_ats, :results
FROM leased h
JOIN leases l ON l.id = h.lease_id
WHERE h.job_id = :jobs AND h.lease_id = :lease_ids AND h.attempt = 1 AND l.worker_id = :worker
  AND NOT EXISTS (SELECT 1 FROM cancellations c WHERE c.job_id = h.job_id);
INSERT INTO settlements (worker_id, leases, claimed_at, ended_at)
SELECT :worker, :leases_json, json_group_array(coalesce(l.claimed_at, 0)), :now
FROM json_each(:leases_json) e
LEFT JOIN leases l ON l.id = e.value
WHERE EXISTS (SELECT 1 FROM succeeding)
HAVING count(*) > 0;
INSERT INTO successes (job_id, settlement_id, lease, queued_at, started_at, result)
SELECT job_id, (SELECT max(id) FROM settlements), place, queued_at, started_at, result FROM succeeding;
SELECT job_id AS told_job, 1, lease_id FROM succeeding;
DELETE FROM leased WHERE job_id = :told_job;
INSERT INTO facts (n, type, queue, from_state, to_state, at, subjects, attempts)
SELECT count(*), 'job.succeeded', l.queue, 'running', 'succeeded', :now, json_group_array(s.job_id), json_group_array(1)
FROM succeeding s
CROSS JOIN leases l ON l.id = s.lease_id
GROUP BY l.queue;
UPDATE leases SET open = open - (SELECT count(*) FROM succeeding s WHERE s.lease_id = leases.id) WHERE id IN (SELECT lease_id FROM succeeding);
DELETE FROM leases WHERE open = 0 AND id IN (SELECT lease_id FROM succeeding);
