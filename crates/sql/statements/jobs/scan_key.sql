-- The job that holds a key.
SELECT c.id, CASE WHEN (:kind::text IS NULL OR j.kind = :kind)
  AND (:queue::text IS NULL OR j.queue = :queue)
  AND (:tag::text IS NULL OR {{strpos}}(j.tags, :tag) > 0)
  AND (:key::text IS NULL OR j.key = :key) THEN 1 ELSE 0 END AS matches
FROM (SELECT job_id AS id FROM job_keys WHERE key = :key AND job_id >= :lowest AND job_id < :before ORDER BY job_id DESC LIMIT :budget) AS c
{{straight_join}} jobs j {{by_key}} ON j.id = c.id
ORDER BY c.id DESC
