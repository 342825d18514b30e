-- Asks a running job to stop. The lease is locked first, so that the second statement sees every
-- attempt that was settled before; a lease that came between the two is not ours to judge (`xmax` is
-- who locked it), and the caller looks again.
SELECT id FROM leases WHERE jobs @> ARRAY[:job::uuid] FOR UPDATE;
WITH running AS (
  SELECT job_id, queue, attempt FROM held
  WHERE job_id = :job AND EXISTS (SELECT 1 FROM leases l WHERE l.id = held.lease_id AND l.xmax = pg_current_xact_id()::xid)
), asked AS (
  INSERT INTO cancellations (job_id, asked_at, reason) SELECT job_id, :now, :reason FROM running
  ON CONFLICT (job_id) DO NOTHING
  RETURNING job_id
), told AS (
  INSERT INTO facts (n, type, queue, at, subjects, attempts, items)
  SELECT 1, 'job.cancel_asked', h.queue, :now, ARRAY[h.job_id], ARRAY[h.attempt],
    json_build_array(json_strip_nulls(json_build_object('reason', :reason::text)))::text
  FROM running h JOIN asked c ON c.job_id = h.job_id
)
SELECT job_id, EXISTS (SELECT 1 FROM asked) FROM running
