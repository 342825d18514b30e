-- Asks a worker to take nothing new, or to take work again; a wish that is already so is no fact.
WITH asked AS (
  UPDATE workers SET drain = :drain::boolean WHERE id = :id AND left_at IS NULL AND drain <> :drain::boolean RETURNING id
), told AS (
  INSERT INTO facts (n, type, at, subject, data) SELECT 1, 'worker.drain_asked', :now, :subject, :data FROM asked
)
SELECT id, EXISTS (SELECT 1 FROM asked) FROM workers WHERE id = :id AND left_at IS NULL
