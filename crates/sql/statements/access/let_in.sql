-- A user has signed in: their wrong passwords are forgotten.
UPDATE users
SET failures = 0, retry_at = NULL, signed_in_at = {{greatest}}(coalesce(signed_in_at, :created_at), :created_at)
WHERE id = :user
