-- Ends every session of a user.
DELETE FROM sessions WHERE user_id = :user RETURNING digest
