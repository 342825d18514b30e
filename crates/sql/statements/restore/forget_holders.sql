-- Forgets who worked on the database that was put back: workers, the leader, who walked which campaign, and who had signed in.
DELETE FROM sessions;
DELETE FROM set_up_tokens;
DELETE FROM workers;
UPDATE leadership SET node = NULL, until = 0 WHERE id = 1;
UPDATE campaigns SET holder = NULL, held_until = NULL WHERE holder IS NOT NULL
