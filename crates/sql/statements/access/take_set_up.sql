-- Takes the set-up token that stands, for good: of two who use it at once one finds it.
DELETE FROM set_up_tokens WHERE id = 1 AND digest = :token AND until > :now {{returning_gone digest :token}}
