-- Asks a running job to stop.
{{lock_lease}}
SELECT count(*) INTO @was_asked FROM cancellations WHERE job_id = :job;
INSERT INTO cancellations (job_id, asked_at, reason)
SELECT h.job_id, :now, :reason
FROM locked k STRAIGHT_JOIN leased h FORCE INDEX (PRIMARY) ON h.job_id = :job AND h.lease_id = k.id
WHERE @was_asked = 0;
INSERT INTO facts (n, type, queue, at, subjects, attempts, items)
SELECT 1, 'job.cancel_asked', k.queue, :now, json_array(h.job_id), json_array(h.attempt), json_array(json_object('reason', :reason))
FROM locked k STRAIGHT_JOIN leased h FORCE INDEX (PRIMARY) ON h.job_id = :job AND h.lease_id = k.id
WHERE @was_asked = 0;
SELECT h.job_id, @was_asked = 0 FROM locked k STRAIGHT_JOIN leased h FORCE INDEX (PRIMARY) ON h.job_id = :job AND h.lease_id = k.id;
