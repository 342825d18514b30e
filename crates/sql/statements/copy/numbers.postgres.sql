-- What stands in one row each, and the highest number that facts were given.
SELECT s.installation, s.epoch, s.last_seq, r.last, h.number,
  coalesce(pg_sequence_last_value(pg_get_serial_sequence('facts', 'id')::regclass), 0)
FROM stream s, recipient_numbers r, hint_generation h
WHERE s.id = 1 AND r.id = 1 AND h.id = 1
