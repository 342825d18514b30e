-- Asks a worker to take nothing new, or to take work again; a wish that is already so is no fact.
UPDATE workers FORCE INDEX (PRIMARY) SET drain = :drain WHERE id = :id AND left_at IS NULL AND drain <> :drain;
INSERT INTO facts (n, type, at, subject, data) SELECT 1, 'worker.drain_asked', :now, :subject, :data WHERE row_count() > 0;
SELECT id, row_count() > 0 FROM workers WHERE id = :id AND left_at IS NULL
