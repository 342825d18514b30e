-- Asks a worker to take nothing new, or to take work again; a wish that is already so is no fact.
INSERT INTO facts (n, type, at, subject, data)
SELECT 1, 'worker.drain_asked', :now, :subject, :data FROM workers WHERE id = :id AND left_at IS NULL AND drain <> :drain;
UPDATE workers SET drain = :drain WHERE id = :id AND left_at IS NULL AND drain <> :drain;
SELECT id, changes() > 0 FROM workers WHERE id = :id AND left_at IS NULL;
