-- Adds a user whose id, name and identity are free.
INSERT INTO users (id, name, role, password, disabled, created_at, signed_in_at, failures, retry_at, identity, issuer, subject)
VALUES (:id, :name, :role, :password, :disabled, :created_at, :signed_in_at, :failures, :retry_at, :identity, :issuer, :subject)
{{unless_taken users id}}
{{returning id users id :id}}
