-- Who holds these keys, and with what content.
SELECT k.key, k.job_id, k.content_hash
FROM json_each(:keys) AS r
JOIN job_keys k ON k.key = r.value;
