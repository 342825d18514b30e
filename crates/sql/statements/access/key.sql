-- One API key.
SELECT {{api_key}} FROM api_keys WHERE id = :id
