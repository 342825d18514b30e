-- Holds an API key that is good at a moment.
SELECT id FROM api_keys WHERE id = :id AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > :now) {{for_update}}
