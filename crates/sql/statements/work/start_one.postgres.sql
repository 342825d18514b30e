-- What `start` does, for one job without a key, which is what an idle system waits for: a plan of half
-- the steps, a tenth less until the handler runs. An id that is taken is not looked for: the key refuses it.
WITH new_job AS (
  INSERT INTO jobs (id, kind, queue, {{asked}}, created_at)
  SELECT :id, :kind, q.name, {{asked_of_one}}, :now
  FROM queues q
  WHERE {{is_open}}
  RETURNING id
), new_lease AS (
  INSERT INTO leases (id, worker_id, queue, until, claimed_at, open, jobs, since)
  SELECT :lease, :worker, :queue, :until, :now, 1, ARRAY[id], ARRAY[:now::bigint] FROM new_job
)
INSERT INTO facts (n, type, queue, to_state, at, subjects, data)
SELECT 1, 'job.started', :queue, 'running', :now, ARRAY[id], :data FROM new_job
RETURNING n
