-- The next candidates among succeeded jobs, newest first.
SELECT c.id, {{is_searched}} AS matches
FROM (
  SELECT id FROM (SELECT job_id AS id FROM successes WHERE job_id >= :lowest AND job_id < :before ORDER BY job_id DESC LIMIT :budget) AS s
  UNION ALL
  SELECT id FROM (SELECT job_id AS id FROM finished WHERE job_id >= :lowest AND job_id < :before AND state = 'succeeded' ORDER BY job_id DESC LIMIT :budget) AS f
  ORDER BY id DESC
  LIMIT :budget
) AS c
{{straight_join}} jobs j {{by_key}} ON j.id = c.id
ORDER BY c.id DESC
