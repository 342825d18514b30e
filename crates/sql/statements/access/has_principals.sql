-- Whether there is anybody who can say who they are.
SELECT CASE WHEN EXISTS (SELECT 1 FROM users) OR EXISTS (SELECT 1 FROM api_keys WHERE revoked_at IS NULL) THEN 1 ELSE 0 END
