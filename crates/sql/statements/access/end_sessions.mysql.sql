-- Ends every session of a user.
SELECT digest FROM sessions WHERE user_id = :user FOR UPDATE;
DELETE /*+ INDEX(sessions sessions_user_id) */ FROM sessions WHERE user_id = :user
