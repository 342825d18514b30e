-- Forgets who worked on the database that was put back: workers, the leader, and who walked which campaign.
DELETE FROM workers;
UPDATE leadership SET node = NULL, until = 0 WHERE id = 1;
UPDATE campaigns SET holder = NULL, held_until = NULL WHERE holder IS NOT NULL
