-- Begins another history, because somebody says that the database was put back; hints begin anew with it.
UPDATE hint_generation SET number = number + 1, incarnation = '' WHERE id = 1;
UPDATE stream
SET epoch = max(epoch + 1, CAST(unixepoch('subsec') * 1000 AS integer))
WHERE id = 1
RETURNING epoch, last_seq
