-- Records how attempts ended: attempt, next place and fact, each only if its lease holds the job. The
-- leases are locked first, in one order for all, so that the second statement sees every result that
-- was recorded and every wish to cancel that was heard before. It follows the rows that the insert of
-- attempts returns; two lists of a thousand are never joined, what a lease says is looked up. What is in a batch, `attempts` passes over.
SELECT id FROM leases
WHERE id = ANY (ARRAY(SELECT i::uuid FROM jsonb_array_elements_text(:leases::jsonb) AS i))
ORDER BY id
FOR UPDATE;
WITH reported AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset(:rows::jsonb) AS r (
    lease uuid, job uuid, attempt integer, run integer, tries integer, losses integer, queued_at bigint, started_at bigint, outcome text,
    state text, reason text, run_at bigint, class text, code text, message text, fingerprint text, result text, seen bigint)
), held_leases AS MATERIALIZED (
  SELECT id, jobs
  FROM leases
  WHERE id = ANY (ARRAY(SELECT i::uuid FROM jsonb_array_elements_text(:leases::jsonb) AS i))
    AND (worker_id = :worker OR (:worker::uuid IS NULL AND (id, until) IN (SELECT r.lease, r.seen FROM reported r))) AND xmax = pg_current_xact_id()::xid
), judged AS (
  SELECT r.*, h.worker_id, h.claimed_at, c.asked_at,
    CASE WHEN c.job_id IS NOT NULL AND r.state IN ('pending', 'retry_wait', 'queued') THEN 'canceled' ELSE r.state END AS to_state,
    CASE WHEN c.job_id IS NOT NULL AND r.state IN ('pending', 'retry_wait', 'queued', 'canceled') THEN c.reason ELSE r.reason END AS why
  FROM reported r
  JOIN leases h ON h.id = r.lease
  LEFT JOIN cancellations c ON c.job_id = r.job
  -- Inside a CASE it is looked up in a hash; as a join it would be a thousand times a thousand.
  WHERE CASE WHEN (r.lease, r.job) IN (SELECT l.id, unnest(l.jobs) FROM held_leases l) THEN true END
    AND NOT EXISTS (SELECT 1 FROM successes s WHERE s.job_id = r.job OFFSET 0)
), new_attempts AS (
  INSERT INTO attempts (job_id, attempt, run, lease_id, worker_id, queued_at, claimed_at, started_at, ended_at, cancel_asked_at, outcome, state, reason,
    next_run_at, tries, losses, class, code, message, fingerprint, result)
  SELECT job, attempt, run, lease, worker_id, queued_at, claimed_at, started_at, :now, asked_at, outcome, to_state, why,
    CASE WHEN to_state IN ('pending', 'retry_wait', 'queued') THEN run_at END, tries, losses, class, code, message, fingerprint, result
  FROM judged
  ON CONFLICT (job_id, attempt) DO NOTHING
  RETURNING job_id, attempt, run, lease_id, state, reason, next_run_at, tries, losses, class, code, message, fingerprint, cancel_asked_at
), by_lease AS (
  SELECT lease_id, count(*)::integer AS n, array_agg(job_id) AS jobs FROM new_attempts GROUP BY lease_id
), shrunk_leases AS (
  UPDATE leases SET open = leases.open - x.n, done = leases.done + places_in(leases.jobs, x.jobs) FROM by_lease x WHERE leases.id = x.lease_id AND leases.open > x.n
), ended_leases AS (
  DELETE FROM leases USING by_lease x WHERE leases.id = x.lease_id AND leases.open <= x.n
), settled_cancellations AS (
  DELETE FROM cancellations WHERE job_id = ANY (ARRAY(SELECT a.job_id FROM new_attempts a WHERE a.cancel_asked_at IS NOT NULL))
), ended AS (
  INSERT INTO finished (job_id, state, reason, finished_at, attempt, tries, losses, run, fingerprint)
  SELECT job_id, state, reason, :now, attempt, tries, losses, run, CASE WHEN state = 'failed' THEN fingerprint END
  FROM new_attempts WHERE state NOT IN ('pending', 'retry_wait', 'queued')
), new_waiting AS (
  INSERT INTO waiting (job_id, state, queue, priority, run_at, expires_at, since, attempt, tries, losses, run)
  SELECT a.job_id, a.state, j.queue, j.priority, a.next_run_at, CASE WHEN a.run = 1 THEN j.expires_at END, :now, a.attempt, a.tries, a.losses, a.run
  FROM new_attempts a JOIN jobs j ON j.id = a.job_id
  WHERE a.state IN ('pending', 'retry_wait')
), new_ready AS (
  INSERT INTO ready (queue, priority, run_at, job_id, expires_at, since, attempt, tries, losses, run)
  SELECT j.queue, j.priority, a.next_run_at, a.job_id, CASE WHEN a.run = 1 THEN j.expires_at END, :now, a.attempt, a.tries, a.losses, a.run
  FROM new_attempts a JOIN jobs j ON j.id = a.job_id
  WHERE a.state = 'queued'
), told AS (
  INSERT INTO facts (n, type, queue, from_state, to_state, at, subjects, attempts, items)
  SELECT count(*), 'job.' || a.state, l.queue, 'running', a.state, :now, array_agg(a.job_id), array_agg(a.attempt),
    CASE WHEN a.state <> 'succeeded' THEN json_agg(json_strip_nulls(json_build_object('class', a.class, 'code', a.code, 'message', a.message, 'reason', a.reason, 'fingerprint', a.fingerprint, 'run_at', a.next_run_at)))::text END
  FROM new_attempts a JOIN leases l ON l.id = a.lease_id
  GROUP BY l.queue, a.state
)
SELECT job_id, attempt, lease_id FROM new_attempts
