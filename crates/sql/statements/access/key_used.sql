-- Writes down when an API key was used last; never an earlier time over a later one.
UPDATE api_keys SET last_used_at = :at WHERE id = :id AND (last_used_at IS NULL OR last_used_at < :at)
