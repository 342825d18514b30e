-- A session that stands, and whose it is, if they are not kept out.
SELECT s.user_id, s.digest, s.created_at, s.idle_until, s.ends_at, {{account}}
FROM sessions s JOIN users u ON u.id = s.user_id
WHERE s.digest = :digest AND s.idle_until > :now AND s.ends_at > :now AND NOT u.disabled
