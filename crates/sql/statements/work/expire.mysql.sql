-- Fails jobs whose time has passed before they ran.
DELETE FROM moving;
INSERT INTO moving (job_id, from_state, queue, priority, run_at, since, attempt, tries, losses, run)
SELECT w.job_id, w.state, w.queue, w.priority, w.run_at, w.since, w.attempt, w.tries, w.losses, w.run
FROM waiting w FORCE INDEX (waiting_expiry)
WHERE w.expires_at <= :now AND {{picked w.job_id}}
ORDER BY w.expires_at
LIMIT :limit
FOR UPDATE SKIP LOCKED;
DELETE w FROM moving m STRAIGHT_JOIN waiting w FORCE INDEX (PRIMARY) ON w.job_id = m.job_id;
INSERT INTO moving (job_id, from_state, queue, priority, run_at, since, attempt, tries, losses, run)
SELECT r.job_id, 'queued', r.queue, r.priority, r.run_at, r.since, r.attempt, r.tries, r.losses, r.run
FROM ready r FORCE INDEX (ready_expiry)
WHERE r.expires_at <= :now AND {{picked r.job_id}}
ORDER BY r.expires_at
LIMIT :limit
FOR UPDATE SKIP LOCKED;
{{leave_line}}
UPDATE moving m
STRAIGHT_JOIN jobs j FORCE INDEX (PRIMARY) ON j.id = m.job_id
LEFT JOIN json_table(:kinds, '$[*]' COLUMNS (kind varchar(255) PATH '$.kind', fingerprint varchar(64) PATH '$.fingerprint')) k ON k.kind = j.kind
SET m.kind = j.kind, m.fingerprint = coalesce(k.fingerprint, 'fp_expired');
INSERT INTO finished (job_id, state, reason, finished_at, queued_at, attempt, tries, losses, run, fingerprint)
SELECT job_id, 'failed', 'expired', :now, since, attempt, tries, losses, run, fingerprint FROM moving;
INSERT INTO facts (n, type, queue, from_state, to_state, at, subjects, attempts, items)
SELECT count(*), 'job.failed', queue, from_state, 'failed', :now, json_arrayagg(job_id), json_arrayagg(attempt),
  json_arrayagg(json_object('class', 'permanent', 'code', :code, 'message', :message,
    'reason', 'expired', 'fingerprint', fingerprint))
FROM moving
GROUP BY queue, from_state;
SELECT count(*) FROM moving;
