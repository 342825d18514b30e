-- Goes on with the numbers of the other database.
UPDATE stream SET installation = :installation, epoch = :epoch, last_seq = :last_seq WHERE id = 1;
UPDATE recipient_numbers SET last = :recipient WHERE id = 1;
UPDATE hint_generation SET number = :hints WHERE id = 1;
SELECT setval(pg_get_serial_sequence('facts', 'id'), :fact::bigint + 1, false);
SELECT setval(pg_get_serial_sequence('settlements', 'id'), coalesce((SELECT max(id) FROM settlements), 0) + 1, false)
