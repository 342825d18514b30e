-- Ends every session of a user.
SELECT digest FROM sessions WHERE user_id = :user FOR UPDATE;
DELETE FROM sessions WHERE user_id = :user
