-- Begins another history, because somebody says that the database was put back; hints begin anew with it.
UPDATE hint_generation SET number = number + 1, incarnation = '' WHERE id = 1;
UPDATE stream
SET epoch = greatest(epoch + 1, timestampdiff(MICROSECOND, '1970-01-01', utc_timestamp(6)) DIV 1000)
WHERE id = 1;
SELECT epoch, last_seq FROM stream WHERE id = 1
