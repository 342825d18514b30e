-- Leases these jobs as far as they can be claimed from a queue that has no limits of its own.
-- A claim is never dated before its jobs were there to be claimed, although its moment was read earlier.
WITH claimed AS (
  DELETE FROM ready
  WHERE ctid = ANY (ARRAY(
    SELECT r.ctid
    FROM ready r
    WHERE r.job_id = ANY (:jobs::uuid[])
      AND r.queue = (SELECT q.name FROM queues q WHERE {{is_open}}
        AND NOT EXISTS (SELECT 1 FROM leases l WHERE l.id = :lease))
      AND (r.expires_at IS NULL OR r.expires_at > :now)
    FOR UPDATE SKIP LOCKED))
  RETURNING priority, run_at, job_id, expires_at, since, attempt, tries, losses, run
), {{lease}}
SELECT c.job_id, :lease::uuid AS lease_id, {{claimed_job}},
  {{call_once}}
-- Sorted while it is narrow. The planner may not choose another join than a look-up of each in turn, which keeps the order.
FROM (SELECT * FROM claimed ORDER BY priority, run_at, job_id OFFSET 0) c
CROSS JOIN LATERAL (SELECT * FROM jobs WHERE jobs.id = c.job_id OFFSET 0) j
