-- The attempts of jobs, job by job, the running one last.
SELECT a.job_id, a.attempt, a.run, a.lease_id, a.worker_id, a.started_at, a.ended_at, a.outcome, a.state, a.next_run_at, a.class, a.code, a.message,
  t.outcome, t.at, CASE WHEN t.adopted THEN 1 ELSE 0 END
FROM results a
LEFT JOIN late_results t ON t.job_id = a.job_id AND t.attempt = a.attempt
WHERE a.job_id {{in :ids uuid}}
UNION ALL
SELECT h.job_id, h.attempt, h.run, h.lease_id, h.worker_id, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0
FROM held h
WHERE h.job_id {{in :ids uuid}}
ORDER BY 1, 2
