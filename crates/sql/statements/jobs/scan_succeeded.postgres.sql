-- The next candidates among succeeded jobs, newest first.
SELECT c.id, {{is_searched}} AS matches
FROM (
  (SELECT job_id AS id FROM successes WHERE job_id >= :lowest AND job_id < :before ORDER BY job_id DESC LIMIT :budget)
  UNION ALL
  (SELECT job_id AS id FROM finished WHERE job_id >= :lowest AND job_id < :before AND state = 'succeeded' ORDER BY job_id DESC LIMIT :budget)
  UNION ALL
  -- Batch by batch, the latest first, and no further than it takes: none has ids between those of another.
  (SELECT j.id
  FROM (
    SELECT * FROM success_batches
    WHERE first < :before AND first >= coalesce((SELECT x.first FROM success_batches x WHERE x.first <= :lowest ORDER BY x.first DESC LIMIT 1), :lowest)
    ORDER BY first DESC) k
  CROSS JOIN LATERAL (SELECT j.id FROM unnest(k.jobs) AS j (id) WHERE j.id >= :lowest AND j.id < :before ORDER BY j.id DESC) j
  LIMIT :budget)
  ORDER BY id DESC
  LIMIT :budget
) AS c
JOIN jobs j ON j.id = c.id
ORDER BY c.id DESC
