-- Begins another history, because somebody says that the database was put back; hints begin anew with it.
WITH new_hints AS (
  UPDATE hint_generation SET number = number + 1, incarnation = '' WHERE id = 1
)
UPDATE stream
SET epoch = greatest(epoch + 1, (extract(epoch FROM clock_timestamp()) * 1000)::bigint),
  incarnation = coalesce(incarnation(tableoid), incarnation)
WHERE id = 1
RETURNING epoch, last_seq
