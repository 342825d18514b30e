-- Begins the next generation of hints, unless another node has begun it.
WITH begun AS (
  UPDATE hint_generation SET number = number + 1, incarnation = :incarnation
  WHERE id = 1 AND number = :seen
  RETURNING number
), told AS (
  INSERT INTO facts (n, type, at, subject, data)
  SELECT 1, 'hints.lost', :now, 'hints', json_build_object('generation', number, 'reason', :why::text)::text FROM begun
)
SELECT number FROM begun
