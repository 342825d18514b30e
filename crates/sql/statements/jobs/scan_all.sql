-- The next candidates among all jobs, newest first.
SELECT c.id, {{is_searched}} AS matches
FROM (SELECT id FROM jobs WHERE id >= :lowest AND id < :before ORDER BY id DESC LIMIT :budget) AS c
{{straight_join}} jobs j {{by_key}} ON j.id = c.id
ORDER BY c.id DESC
