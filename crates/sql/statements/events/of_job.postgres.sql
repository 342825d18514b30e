-- The numbered facts of one job, found by the exact instants at which it moved.
SELECT last_seq, n, type, queue, from_state, to_state, at, subject, array_to_json(subjects)::text, array_to_json(attempts)::text, data, items
FROM facts
WHERE at = ANY (ARRAY(SELECT created_at AS at FROM jobs WHERE id = :job
  UNION SELECT queued_at FROM results WHERE job_id = :job
  UNION SELECT claimed_at FROM results WHERE job_id = :job
  UNION SELECT ended_at FROM results WHERE job_id = :job
  UNION SELECT cancel_asked_at FROM results WHERE job_id = :job
  UNION SELECT at FROM late_results WHERE job_id = :job
  UNION SELECT since FROM waiting WHERE job_id = :job
  UNION SELECT since FROM ready WHERE job_id = :job
  UNION SELECT since FROM held WHERE job_id = :job
  UNION SELECT claimed_at FROM held WHERE job_id = :job
  UNION SELECT queued_at FROM finished WHERE job_id = :job
  UNION SELECT finished_at FROM finished WHERE job_id = :job
  UNION SELECT discarded_at FROM finished WHERE job_id = :job
  UNION SELECT asked_at FROM cancellations WHERE job_id = :job
  UNION SELECT at FROM redrives WHERE job_id = :job
  UNION SELECT finished_at FROM redrives WHERE job_id = :job
  UNION SELECT queued_at FROM redrives WHERE job_id = :job
  UNION SELECT discarded_at FROM redrives WHERE job_id = :job)) AND last_seq IS NOT NULL AND subjects @> ARRAY[:job::uuid]
ORDER BY last_seq
