-- Adds an API key, unless it is there.
INSERT INTO api_keys (id, name, digest, permissions, kinds, queues, created_at, created_by, expires_at, revoked_at, last_used_at)
VALUES (:id, :name, :digest, :permissions, :kinds, :queues, :created_at, :created_by, :expires_at, :revoked_at, :last_used_at)
{{unless_there api_keys id id}}
{{returning id api_keys id :id}}
