-- Counts a password that is about to be looked at as a wrong one. Of many at once one is: the others know of fewer than there are.
UPDATE users
SET failures = {{least}}(failures + 1, 4294967295), retry_at = :retry_at
WHERE id = :id AND failures = :failures AND (retry_at IS NULL OR retry_at <= :now OR retry_at > :latest)
{{returning id users id :id}}
