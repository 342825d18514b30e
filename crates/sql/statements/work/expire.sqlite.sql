-- Fails jobs whose time has passed before they ran.
DELETE FROM moving;
INSERT INTO moving (job_id, from_state, queue, since, attempt, tries, losses, run, fingerprint)
SELECT s.job_id, s.state, s.queue, s.since, s.attempt, s.tries, s.losses, s.run, coalesce((SELECT k.value ->> 'fingerprint' FROM json_each(:kinds) k WHERE k.value ->> 'kind' = j.kind), 'fp_expired')
FROM (
  SELECT * FROM (SELECT job_id, state, queue, since, attempt, tries, losses, run FROM waiting WHERE expires_at <= :now AND {{picked job_id}} ORDER BY expires_at LIMIT :limit)
  UNION ALL
  SELECT * FROM (SELECT job_id, 'queued', queue, since, attempt, tries, losses, run FROM ready WHERE expires_at <= :now AND {{picked job_id}} ORDER BY expires_at LIMIT :limit)
) s
JOIN jobs j ON j.id = s.job_id;
DELETE FROM waiting WHERE job_id IN (SELECT job_id FROM moving);
DELETE FROM ready WHERE job_id IN (SELECT job_id FROM moving);
INSERT INTO finished (job_id, state, reason, finished_at, queued_at, attempt, tries, losses, run, fingerprint)
SELECT job_id, 'failed', 'expired', :now, since, attempt, tries, losses, run, fingerprint FROM moving;
INSERT INTO facts (n, type, queue, from_state, to_state, at, subjects, attempts, items)
SELECT count(*), 'job.failed', queue, from_state, 'failed', :now, json_group_array(job_id), json_group_array(attempt),
  json_group_array(json_object('class', 'permanent', 'code', :code, 'message', :message,
    'reason', 'expired', 'fingerprint', fingerprint))
FROM moving
GROUP BY queue, from_state;
SELECT count(*) FROM moving;
