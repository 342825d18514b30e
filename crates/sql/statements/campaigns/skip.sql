-- Writes down the members of an audience that get no delivery, each as a job that says why.
DELETE FROM incoming;
INSERT INTO incoming (id, hash, queue, kind, {{asked}})
VALUES (:ids, :reasons, :queues, :kinds, {{asked_of_each}})
{{unless_taken incoming id}};
DELETE FROM incoming WHERE EXISTS (SELECT 1 FROM jobs j WHERE j.id = incoming.id);
INSERT INTO jobs (id, kind, queue, {{asked}}, created_at)
SELECT id, kind, queue, {{asked}}, :now FROM incoming;
INSERT INTO finished (job_id, state, reason, finished_at, attempt, tries, losses, run)
SELECT id, 'skipped', hash, :now, 0, 0, 0, 1 FROM incoming;
INSERT INTO facts (n, type, queue, to_state, at, subjects, items)
SELECT count(*), 'job.skipped', queue, 'skipped', :now, {{gathered}}(id), {{gathered}}(json_object('reason', hash))
FROM incoming GROUP BY queue;
SELECT count(*) FROM incoming;
