-- A success under a claim that a crash of the database has forgotten becomes the job's state, if the job still stands where that
-- claim found it: the attempt is the next one, nobody has had it since, and no lease has the name of its own.
SELECT :attempt = 1 AND :run = 1 AND count(*) = 0 INTO @may_unpack FROM leases WHERE id = :lease;
{{unpack_job}}
{{find_in_line}}
DELETE FROM moving;
INSERT INTO moving (job_id, queue, priority, run_at, since, run)
SELECT r.job_id, r.queue, r.priority, r.run_at, r.since, r.run
FROM ready r FORCE INDEX (PRIMARY)
WHERE r.queue = @queue AND r.priority = @priority AND r.run_at = @at AND r.job_id = :job AND r.attempt = :attempt - 1 AND r.run = :run
  AND NOT EXISTS (SELECT 1 FROM leases l WHERE l.id = :lease)
  AND NOT EXISTS (SELECT 1 FROM attempts a WHERE a.job_id = :job AND a.attempt = :attempt)
FOR UPDATE;
{{leave_line}}
INSERT INTO finished (job_id, state, finished_at, queued_at, attempt, tries, losses, run)
SELECT job_id, 'succeeded', greatest(:now, since), since, :attempt, :tries, :losses, run FROM moving;
INSERT INTO attempts (job_id, attempt, run, lease_id, worker_id, queued_at, claimed_at, started_at, ended_at, outcome, state, tries, losses, result)
SELECT job_id, :attempt, run, :lease, :worker, since, greatest(coalesce(:started_at, since), since), :started_at, greatest(:now, since), 'succeeded', 'succeeded', :tries, :losses, :result FROM moving;
INSERT INTO late_results (job_id, attempt, outcome, at, adopted, result)
SELECT job_id, :attempt, 'succeeded', greatest(:now, since), true, :result FROM moving;
INSERT INTO facts (n, type, queue, from_state, to_state, at, subjects, attempts, items)
SELECT 1, 'job.succeeded', queue, 'queued', 'succeeded', greatest(:now, since), json_array(job_id), json_array(:attempt), '[{"late":true}]' FROM moving;
SELECT job_id FROM moving;
