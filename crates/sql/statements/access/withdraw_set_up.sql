-- Withdraws the set-up token: somebody else adds a user.
DELETE FROM set_up_tokens WHERE id = 1
