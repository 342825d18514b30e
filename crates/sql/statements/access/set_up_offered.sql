-- A set-up token, if it stands.
SELECT digest FROM set_up_tokens WHERE digest = :digest AND until > :now
