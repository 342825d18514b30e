-- Gives a user who signs in at a provider the name and the role that it says, if anything becomes another and the name is free. Even the
-- last admin: who is no admin there any more is none here.
UPDATE users SET name = :name, role = :role
WHERE id = :id AND identity IS NOT NULL AND NOT disabled AND (name <> :name OR role <> :role)
  AND NOT EXISTS (SELECT 1 FROM (SELECT x.id FROM users x WHERE x.name = :name AND x.id <> :id LIMIT 1) y)
{{returning id users id :id}}
