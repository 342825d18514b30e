-- Who holds these keys, and with what content.
SELECT k.key, k.job_id, k.content_hash
FROM jsonb_array_elements_text(:keys::jsonb) AS r (key)
JOIN job_keys k ON k.key = r.key
