-- Adds a user whose id and name are free.
INSERT INTO users (id, name, role, password, disabled, created_at, signed_in_at, failures, retry_at)
VALUES (:id, :name, :role, :password, :disabled, :created_at, :signed_in_at, :failures, :retry_at)
{{unless_taken users id}}
{{returning id users id :id}}
