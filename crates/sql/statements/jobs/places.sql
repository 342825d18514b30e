-- Jobs by id, each in one clear state.
SELECT id, key, kind, queue, state, reason, priority, payload, run_at, attempt, tries, max_attempts, losses, run, backoff, timeout_us,
  expires_at, delivery, tags, class, code, message, result, created_at, updated_at, finished_at, worker_id, until, asked_at,
  (SELECT j.trace FROM jobs j WHERE j.id = job_places.id) AS trace
FROM job_places
WHERE id {{in :ids uuid}}
ORDER BY id DESC
