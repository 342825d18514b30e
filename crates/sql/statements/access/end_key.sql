-- Ends an API key at a moment, if it does not end before.
UPDATE api_keys SET expires_at = :ends_at WHERE id = :id AND (expires_at IS NULL OR expires_at > :ends_at)
