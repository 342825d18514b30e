-- Adds a user if there is none.
INSERT INTO users (id, name, role, password, disabled, created_at, signed_in_at, failures, retry_at, identity, issuer, subject)
SELECT :id::uuid, :name, :role, :password, :disabled::boolean, :created_at::bigint, :signed_in_at::bigint, :failures::bigint, :retry_at::bigint, :identity::text, :issuer::text, :subject::text
WHERE NOT EXISTS (SELECT 1 FROM (SELECT id FROM users LIMIT 1) x)
{{unless_taken users id}}
{{returning id users id :id}}
