-- Records first attempts that succeeded: a narrow row each, and what they have in common once. The
-- leases are locked first, in one order for all, so that what follows sees every result that
-- was recorded and every wish to cancel that was heard before; a job with such a wish is left to
-- `settle`. `place` is the number of a job's lease in `leases`.
DELETE FROM locked;
INSERT INTO locked (id, queue, claimed_at)
SELECT l.id, l.queue, l.claimed_at FROM leases l FORCE INDEX (PRIMARY) WHERE l.id IN (:leases) AND l.worker_id = :worker ORDER BY l.id FOR UPDATE;
DELETE FROM reporting;
INSERT INTO reporting (job_id, lease_id, place, queued_at, started_at, result)
VALUES (:jobs, :lease_ids, :places, :queued_ats, :started_ats, :results);
DELETE FROM unpacking_leased;
INSERT INTO unpacking_leased (job_id, lease_id) SELECT job_id, lease_id FROM reporting ON DUPLICATE KEY UPDATE job_id = unpacking_leased.job_id;
{{unpack_leased}}
DELETE FROM succeeding;
INSERT INTO succeeding (job_id, lease_id, queue, place, queued_at, started_at, result)
SELECT r.job_id, r.lease_id, k.queue, r.place, r.queued_at, r.started_at, r.result
FROM reporting r
STRAIGHT_JOIN locked k ON k.id = r.lease_id
STRAIGHT_JOIN leased h FORCE INDEX (PRIMARY) ON h.job_id = r.job_id AND h.lease_id = r.lease_id AND h.attempt = 1
LEFT JOIN cancellations c ON c.job_id = r.job_id
WHERE c.job_id IS NULL;
INSERT INTO settlements (worker_id, leases, claimed_at, ended_at)
SELECT :worker, :leases_json, concat('[', group_concat(coalesce(k.claimed_at, 0) ORDER BY e.place SEPARATOR ','), ']'), :now
FROM json_table(:leases_json, '$[*]' COLUMNS (place FOR ORDINALITY, id varchar(36) PATH '$')) e
LEFT JOIN locked k ON k.id = e.id
WHERE EXISTS (SELECT 1 FROM succeeding)
HAVING count(*) > 0;
INSERT INTO successes (job_id, settlement_id, lease, queued_at, started_at, result)
SELECT job_id, last_insert_id(), place, queued_at, started_at, result FROM succeeding ORDER BY job_id;
DELETE h FROM succeeding s STRAIGHT_JOIN leased h FORCE INDEX (PRIMARY) ON h.job_id = s.job_id;
INSERT INTO facts (n, type, queue, from_state, to_state, at, subjects, attempts)
SELECT count(*), 'job.succeeded', queue, 'running', 'succeeded', :now, json_arrayagg(job_id), json_arrayagg(1)
FROM succeeding
GROUP BY queue;
UPDATE (SELECT lease_id, count(*) AS n FROM succeeding GROUP BY lease_id) s STRAIGHT_JOIN leases l FORCE INDEX (PRIMARY) ON l.id = s.lease_id SET l.open = l.open - s.n;
{{end_leases}}
SELECT job_id, 1, lease_id FROM succeeding;
