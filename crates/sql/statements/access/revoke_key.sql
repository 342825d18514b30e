-- Takes an API key back, once.
UPDATE api_keys SET revoked_at = :now WHERE id = :id AND revoked_at IS NULL
{{returning id api_keys id :id}}
