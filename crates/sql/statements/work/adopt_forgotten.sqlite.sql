-- A success under a claim that the database has forgotten becomes the job's state, if the job still stands where that claim found it:
-- the attempt is the next one, nobody has had it since, and no lease has the name of its own.
DELETE FROM moving;
INSERT INTO moving (job_id, queue, since, run)
SELECT job_id, queue, since, run FROM ready WHERE job_id = :job AND attempt = :attempt - 1 AND run = :run
  AND NOT EXISTS (SELECT 1 FROM leases l WHERE l.id = :lease)
  AND NOT EXISTS (SELECT 1 FROM attempts a WHERE a.job_id = :job AND a.attempt = :attempt);
DELETE FROM ready WHERE job_id IN (SELECT job_id FROM moving);
INSERT INTO finished (job_id, state, finished_at, queued_at, attempt, tries, losses, run)
SELECT job_id, 'succeeded', max(:now, since), since, :attempt, :tries, :losses, run FROM moving;
INSERT INTO attempts (job_id, attempt, run, lease_id, worker_id, queued_at, claimed_at, started_at, ended_at, outcome, state, tries, losses, result)
SELECT job_id, :attempt, run, :lease, :worker, since, max(coalesce(:started_at, since), since), :started_at, max(:now, since), 'succeeded', 'succeeded', :tries, :losses, :result FROM moving;
INSERT INTO late_results (job_id, attempt, outcome, at, adopted, result)
SELECT job_id, :attempt, 'succeeded', max(:now, since), 1, :result FROM moving;
INSERT INTO facts (n, type, queue, from_state, to_state, at, subjects, attempts, items)
SELECT 1, 'job.succeeded', queue, 'queued', 'succeeded', max(:now, since), json_array(job_id), json_array(:attempt), '[{"late":true}]' FROM moving;
SELECT job_id FROM moving;
