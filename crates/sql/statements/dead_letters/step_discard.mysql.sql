-- Takes the next dead letters of an operation off the list; the marks, their facts and its cursor are one.
{{pick_dead_letters}}
UPDATE moving m STRAIGHT_JOIN finished f FORCE INDEX (PRIMARY) ON f.job_id = m.job_id SET f.discarded_at = :now;
INSERT INTO facts (n, type, queue, at, subjects, attempts, data, items)
SELECT count(*), 'job.discarded', queue, :now, json_arrayagg(job_id), json_arrayagg(attempt),
  json_object('operation', :subject), json_arrayagg(json_object('was', fingerprint))
FROM moving GROUP BY queue;
{{step}}
SELECT count(*) FROM moving
