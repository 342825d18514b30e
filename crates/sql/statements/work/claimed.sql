-- What a worker holds under a lease: the answer to a claim that is asked again.
SELECT h.job_id, h.lease_id, h.attempt, h.tries, h.losses, h.run, h.since, {{told_of_job}},
  CASE WHEN h.run = 1 THEN j.expires_at END
FROM held h
{{straight_join}} jobs j {{by_key}} ON j.id = h.job_id
WHERE h.lease_id = :lease AND h.worker_id = :worker
ORDER BY j.priority, coalesce((SELECT a.next_run_at FROM attempts a WHERE a.job_id = h.job_id AND a.attempt = h.attempt - 1), j.run_at), h.job_id
