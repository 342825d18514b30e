-- Begins the next generation of hints, unless another node has begun it.
INSERT INTO facts (n, type, at, subject, data)
SELECT 1, 'hints.lost', :now, 'hints', json_object('generation', number + 1, 'reason', :why)
FROM hint_generation WHERE id = 1 AND number = :seen;
UPDATE hint_generation SET number = number + 1, incarnation = :incarnation
WHERE id = 1 AND number = :seen
RETURNING number;
