-- API keys, the newest first.
SELECT {{api_key}} FROM api_keys WHERE id < :before ORDER BY id DESC LIMIT :limit
