-- Changes a user, if anything becomes another, they still have the password that they were known by, if by one, and somebody is left
-- who may say who may do what. All who may are held first, in one
-- order: of two who demote each other at once, the later one sees what the earlier one has done.
SELECT id FROM users WHERE role = 'admin' OR id = :id ORDER BY id {{for_update}};
UPDATE users
SET role = coalesce(:role::text, role), password = coalesce(:password::text, password), disabled = coalesce(:disabled::boolean, disabled),
  failures = CASE WHEN :password::text IS NULL THEN failures ELSE 0 END,
  retry_at = CASE WHEN :password::text IS NULL THEN retry_at ELSE NULL END
WHERE id = :id AND (:known_by::text IS NULL OR password = :known_by::text)
  AND (role <> coalesce(:role::text, role) OR disabled <> coalesce(:disabled::boolean, disabled) OR {{differs password coalesce(:password::text,password)}})
  AND (role <> 'admin' OR disabled
    OR (coalesce(:role::text, role) = 'admin' AND NOT coalesce(:disabled::boolean, disabled))
    OR EXISTS (SELECT 1 FROM (SELECT x.id FROM users x WHERE x.role = 'admin' AND NOT x.disabled AND x.id <> :id LIMIT 1) y))
{{returning id users id :id}}
