-- The next candidates among running jobs, newest first.
SELECT c.id, {{is_searched}} AS matches
FROM (SELECT job_id AS id FROM held WHERE job_id >= :lowest AND job_id < :before ORDER BY job_id DESC LIMIT :budget) AS c
{{straight_join}} jobs j {{by_key}} ON j.id = c.id
ORDER BY c.id DESC
