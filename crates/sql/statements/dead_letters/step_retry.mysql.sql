-- Runs the next dead letters of an operation again; their moves, their facts and its cursor are one.
{{pick_dead_letters}}
DELETE f FROM moving m STRAIGHT_JOIN finished f FORCE INDEX (PRIMARY) ON f.job_id = m.job_id;
INSERT INTO redrives (job_id, run, at, finished_at, queued_at) SELECT job_id, run, :now, finished_at, since FROM moving;
INSERT INTO ready (queue, priority, run_at, job_id, since, attempt, tries, losses, run)
SELECT queue, priority, :now, job_id, :now, attempt, 0, 0, run + 1 FROM moving;
INSERT INTO facts (n, type, queue, from_state, to_state, at, subjects, attempts, data, items)
SELECT count(*), 'job.queued', queue, 'failed', 'queued', :now, json_arrayagg(job_id), json_arrayagg(attempt),
  json_object('operation', :subject), json_arrayagg(json_object('was', fingerprint))
FROM moving GROUP BY queue;
{{step}}
SELECT count(*) FROM moving
