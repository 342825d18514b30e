-- The columns of `api_keys`.
id, name, digest, permissions, kinds, queues, created_at, created_by, expires_at, revoked_at, last_used_at
