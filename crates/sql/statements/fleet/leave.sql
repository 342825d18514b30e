-- A worker says goodbye, once.
INSERT INTO facts (n, type, at, subject)
SELECT 1, 'worker.left', :now, :subject FROM workers WHERE id = :id AND left_at IS NULL;
UPDATE workers SET left_at = :now, seen_at = :now, running = 0 WHERE id = :id AND left_at IS NULL
