-- Counts a wrong password for a user.
UPDATE users
SET failures = {{least}}(failures + 1, 4294967295), retry_at = {{greatest}}(coalesce(retry_at, :retry_at), :retry_at)
WHERE id = :id
