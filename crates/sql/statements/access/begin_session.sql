-- Begins a session of a user who is not kept out and still has the password that they were known by, if by one; the user is held, so
-- that a change of theirs comes before it or ends it.
INSERT INTO sessions (digest, user_id, created_at, idle_until, ends_at)
SELECT :digest, u.id, :created_at::bigint, {{least}}(:idle_until::bigint, :ends_at::bigint), :ends_at::bigint
FROM users u WHERE u.id = :user AND NOT u.disabled
  AND (:known_by::text IS NULL OR u.password = :known_by::text) {{for_update}}
{{unless_there sessions digest digest}}
{{returning digest sessions digest :digest}}
