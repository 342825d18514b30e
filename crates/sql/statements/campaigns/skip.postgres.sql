-- Writes down the members of an audience that get no delivery, each as a job that says why.
WITH requested AS MATERIALIZED (
  SELECT *
  FROM unnest(:ids::uuid[], :queues::text[], :kinds::text[], {{asked_of_each}}, :reasons::text[])
    AS r (id, queue, kind, {{asked}}, reason)
), new_jobs AS (
  INSERT INTO jobs (id, kind, queue, {{asked}}, created_at)
  SELECT id, kind, queue, {{asked}}, :now
  FROM requested r
  WHERE NOT EXISTS (SELECT 1 FROM jobs x WHERE x.id = r.id OFFSET 0)
  RETURNING id, queue
), ended AS (
  INSERT INTO finished (job_id, state, reason, finished_at, attempt, tries, losses, run)
  SELECT j.id, 'skipped', r.reason, :now, 0, 0, 0, 1 FROM new_jobs j JOIN requested r ON r.id = j.id
), told AS (
  INSERT INTO facts (n, type, queue, to_state, at, subjects, items)
  SELECT count(*), 'job.skipped', j.queue, 'skipped', :now, array_agg(j.id), json_agg(json_build_object('reason', r.reason))::text
  FROM new_jobs j JOIN requested r ON r.id = j.id
  GROUP BY j.queue
)
SELECT count(*) FROM new_jobs
