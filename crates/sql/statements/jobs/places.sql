-- Jobs by id, each in one clear state.
SELECT p.id, p.state, p.reason, p.priority, p.run_at, p.attempt, p.tries, p.losses, p.run, p.expires_at, {{told_of_job}},
  p.class, p.code, p.message, p.result, p.updated_at, p.finished_at, p.worker_id, p.until, p.asked_at
FROM job_places p
{{straight_join}} jobs j {{by_key}} ON j.id = p.id
WHERE p.id {{in :ids uuid}}
ORDER BY p.id DESC
