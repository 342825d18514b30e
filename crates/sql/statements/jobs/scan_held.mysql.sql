-- The next candidates among running jobs, newest first. Their bounds lead to no index: all between them would be read, and who is held are few.
SELECT c.id, {{is_searched}} AS matches
FROM (SELECT job_id AS id FROM held WHERE (job_id >= :lowest AND job_id < :before) IS TRUE ORDER BY job_id DESC LIMIT :budget) AS c
STRAIGHT_JOIN jobs j FORCE INDEX (PRIMARY) ON j.id = c.id
ORDER BY c.id DESC
