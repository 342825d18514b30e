-- Cancels deliveries of a canceled campaign that nobody holds, and asks the others to stop. Says how many were canceled, and how many run.
-- What is still in a batch steps out of it first, with all that is in it, and what is held in a block out of that. The leases are locked before anybody is asked to stop, as
-- for a single job: a wish for one that has ended in between would stay for ever.
DELETE FROM locked;
INSERT INTO locked (id)
SELECT l.id FROM (SELECT x.id FROM leases x WHERE x.queue = :queue ORDER BY x.id LIMIT 1000000) x STRAIGHT_JOIN leases l FORCE INDEX (PRIMARY) ON l.id = x.id
FOR UPDATE;
DELETE FROM unpacking_leased;
INSERT INTO unpacking_leased (job_id, lease_id)
SELECT j.id, b.lease_id
FROM locked k
STRAIGHT_JOIN leased_blocks b FORCE INDEX (PRIMARY) ON b.lease_id = k.id
STRAIGHT_JOIN jobs j FORCE INDEX (PRIMARY) ON j.id >= b.first AND j.id <= b.last AND (b.bits & {{bit j.id}}) > 0;
{{unpack_leased}}
DELETE FROM unpacking;
INSERT INTO unpacking (first, last, queue, priority, run_at, expires_at, since)
SELECT b.first, b.last, b.queue, b.priority, b.run_at, b.expires_at, b.since
FROM ready_batches b FORCE INDEX (PRIMARY)
WHERE b.queue = :queue AND {{picked b.first}}
ORDER BY b.queue, b.run_at, b.first
LIMIT {{some_batches :limit}}
FOR UPDATE SKIP LOCKED;
{{unpack}}
DELETE FROM moving;
INSERT INTO moving (job_id, from_state, queue, since, attempt, tries, losses, run)
SELECT w.job_id, w.state, w.queue, w.since, w.attempt, w.tries, w.losses, w.run
FROM waiting w FORCE INDEX (PRIMARY)
WHERE w.job_id >= :lowest AND w.job_id <= :highest AND {{picked w.job_id}}
ORDER BY w.job_id
LIMIT :limit
FOR UPDATE SKIP LOCKED;
DELETE w FROM moving m STRAIGHT_JOIN waiting w FORCE INDEX (PRIMARY) ON w.job_id = m.job_id;
INSERT INTO moving (job_id, from_state, queue, since, attempt, tries, losses, run)
SELECT r.job_id, 'queued', r.queue, r.since, r.attempt, r.tries, r.losses, r.run
FROM ready r FORCE INDEX (PRIMARY)
WHERE r.queue = :queue AND {{picked r.job_id}}
ORDER BY r.queue, r.priority, r.run_at, r.job_id
LIMIT :limit
FOR UPDATE SKIP LOCKED;
DELETE r FROM moving m STRAIGHT_JOIN ready r FORCE INDEX (ready_job) ON r.job_id = m.job_id;
INSERT INTO finished (job_id, state, finished_at, queued_at, attempt, tries, losses, run)
SELECT job_id, 'canceled', :now, since, attempt, tries, losses, run FROM moving;
INSERT INTO facts (n, type, queue, from_state, to_state, at, subjects, attempts)
SELECT count(*), 'job.canceled', queue, from_state, 'canceled', :now, json_arrayagg(job_id), json_arrayagg(attempt) FROM moving GROUP BY queue, from_state;
DELETE FROM settling;
INSERT INTO settling (job_id, attempt)
SELECT h.job_id, h.attempt FROM leased h STRAIGHT_JOIN locked k ON k.id = h.lease_id
WHERE {{picked h.job_id}} AND NOT EXISTS (SELECT 1 FROM cancellations c WHERE c.job_id = h.job_id);
INSERT INTO facts (n, type, queue, at, subjects, attempts)
SELECT count(*), 'job.cancel_asked', :queue, :now, json_arrayagg(job_id), json_arrayagg(attempt) FROM settling HAVING count(*) > 0;
INSERT INTO cancellations (job_id, asked_at) SELECT job_id, :now FROM settling ORDER BY job_id;
SELECT (SELECT count(*) FROM moving), (SELECT count(*) FROM leased h STRAIGHT_JOIN leases l FORCE INDEX (PRIMARY) ON l.id = h.lease_id WHERE l.queue = :queue AND {{picked h.job_id}})
