-- Takes a running job away from its worker and cancels it. The lease is locked first, so that the
-- second statement sees every attempt that was settled before; a lease that came between the two is
-- not ours to judge (`xmax` is who locked it), and the caller looks again.
SELECT id FROM leases WHERE jobs @> ARRAY[:job::uuid] FOR UPDATE;
WITH running AS (
  SELECT * FROM held
  WHERE job_id = :job AND EXISTS (SELECT 1 FROM leases l WHERE l.id = held.lease_id AND l.xmax = pg_current_xact_id()::xid)
), force_canceled AS (
  INSERT INTO attempts (job_id, attempt, run, lease_id, worker_id, queued_at, claimed_at, ended_at, cancel_asked_at, outcome, state, reason, tries, losses)
  SELECT job_id, attempt, run, lease_id, worker_id, since, claimed_at, :now,
    (SELECT asked_at FROM cancellations c WHERE c.job_id = h.job_id), 'canceled', 'canceled', :reason, tries, losses
  FROM running h
  ON CONFLICT (job_id, attempt) DO NOTHING
  RETURNING job_id, attempt, run, lease_id, tries, losses
), lease AS (
  SELECT id, open, queue FROM leases WHERE id IN (SELECT lease_id FROM running)
), shrunk_lease AS (
  UPDATE leases SET open = leases.open - 1 FROM force_canceled a, lease l WHERE leases.id = a.lease_id AND l.id = a.lease_id AND l.open > 1
), ended_lease AS (
  DELETE FROM leases USING force_canceled a, lease l WHERE leases.id = a.lease_id AND l.id = a.lease_id AND l.open <= 1
), settled_cancellation AS (
  DELETE FROM cancellations USING force_canceled a WHERE cancellations.job_id = a.job_id
), ended AS (
  INSERT INTO finished (job_id, state, reason, finished_at, attempt, tries, losses, run)
  SELECT job_id, 'canceled', :reason, :now, attempt, tries, losses, run FROM force_canceled
), told AS (
  INSERT INTO facts (n, type, queue, from_state, to_state, at, subjects, attempts, items)
  SELECT 1, 'job.canceled', l.queue, 'running', 'canceled', :now, ARRAY[a.job_id], ARRAY[a.attempt],
    json_build_array(json_strip_nulls(json_build_object('reason', :reason::text, 'forced', true)))::text
  FROM force_canceled a JOIN lease l ON l.id = a.lease_id
)
SELECT job_id FROM force_canceled
