-- Moves a job that nobody holds, if it is still in the place the move starts from.
SET @may_unpack = 1;
{{unpack_job}}
{{find_in_line}}
DELETE FROM moving;
INSERT INTO moving (job_id, run_at, since, attempt, tries, losses, run)
SELECT w.job_id, w.run_at, w.since, w.attempt, w.tries, w.losses, w.run FROM waiting w WHERE w.job_id = :job AND w.state = :from FOR UPDATE;
DELETE w FROM moving m STRAIGHT_JOIN waiting w FORCE INDEX (PRIMARY) ON w.job_id = m.job_id;
INSERT INTO moving (job_id, run_at, since, attempt, tries, losses, run)
SELECT r.job_id, r.run_at, r.since, r.attempt, r.tries, r.losses, r.run
FROM ready r FORCE INDEX (PRIMARY)
WHERE r.queue = @queue AND r.priority = @priority AND r.run_at = @at AND r.job_id = :job AND :from = 'queued'
FOR UPDATE;
DELETE r FROM moving m STRAIGHT_JOIN ready r FORCE INDEX (PRIMARY)
ON r.queue = @queue AND r.priority = @priority AND r.run_at = @at AND r.job_id = m.job_id;
INSERT INTO moving (job_id, since, attempt, tries, losses, run, fingerprint, finished_at, discarded_at)
SELECT f.job_id, f.queued_at, f.attempt, f.tries, f.losses, f.run, f.fingerprint, f.finished_at, f.discarded_at
FROM finished f WHERE f.job_id = :job AND f.state = :from FOR UPDATE;
DELETE f FROM moving m STRAIGHT_JOIN finished f FORCE INDEX (PRIMARY) ON f.job_id = m.job_id;
DELETE c FROM moving m STRAIGHT_JOIN cancellations c FORCE INDEX (PRIMARY) ON c.job_id = m.job_id;
UPDATE moving m STRAIGHT_JOIN jobs j FORCE INDEX (PRIMARY) ON j.id = m.job_id
SET m.queue = j.queue, m.priority = j.priority, m.expires_at = j.expires_at;
INSERT INTO redrives (job_id, run, at, finished_at, queued_at, discarded_at)
SELECT job_id, run, :now, finished_at, since, discarded_at FROM moving WHERE finished_at IS NOT NULL AND :to = 'queued';
INSERT INTO ready (queue, priority, run_at, job_id, expires_at, since, attempt, tries, losses, run)
SELECT queue, priority, if(:event = 'release', run_at, :now), job_id, if(finished_at IS NULL, expires_at, NULL), :now, attempt, if(finished_at IS NULL, tries, 0),
  if(finished_at IS NULL, losses, 0), if(finished_at IS NULL, run, run + 1)
FROM moving WHERE :to = 'queued';
INSERT INTO finished (job_id, state, reason, finished_at, queued_at, attempt, tries, losses, run, fingerprint)
SELECT job_id, :to, :reason, :now, since, attempt, tries, losses, run, :fingerprint
FROM moving WHERE :to <> 'queued';
INSERT INTO facts (n, type, queue, from_state, to_state, at, subjects, attempts, items)
SELECT 1, 'job.' || :to, queue, :from, :to, :now, json_array(job_id), json_array(attempt),
  json_array(json_object(
    'reason', :reason,
    'was', CASE WHEN discarded_at IS NULL THEN fingerprint END,
    'fingerprint', :fingerprint,
    'class', CASE WHEN :to = 'failed' THEN 'permanent' END,
    'code', :code,
    'message', :message))
FROM moving;
SELECT job_id FROM moving;
