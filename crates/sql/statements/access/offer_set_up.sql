-- Puts a set-up token in the place of all others, if there is no user.
INSERT INTO set_up_tokens (id, digest, until)
SELECT 1, :token, :until::bigint WHERE NOT EXISTS (SELECT 1 FROM users)
{{if_there id}} digest = {{new digest}}, until = {{new until}};
SELECT id FROM set_up_tokens WHERE id = 1 AND digest = :token AND NOT EXISTS (SELECT 1 FROM users)
