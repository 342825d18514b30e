-- Begins the next generation of hints, unless another node has begun it.
UPDATE hint_generation SET number = number + 1, incarnation = :incarnation WHERE id = 1 AND number = :seen;
SET @begun = row_count();
INSERT INTO facts (n, type, at, subject, data)
SELECT 1, 'hints.lost', :now, 'hints', json_object('generation', number, 'reason', :why) FROM hint_generation WHERE id = 1 AND @begun > 0;
SELECT number FROM hint_generation WHERE id = 1 AND @begun > 0;
