-- Who holds these keys, and with what content.
SELECT key, job_id, content_hash FROM job_keys WHERE key {{in :keys text}}
