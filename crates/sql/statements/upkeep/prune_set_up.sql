-- Forgets a set-up token past its end.
DELETE FROM set_up_tokens WHERE id = 1 AND until <= :now {{returning_gone id 1}}
