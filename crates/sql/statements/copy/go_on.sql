-- Goes on with the numbers of the other database.
UPDATE stream SET installation = :installation, epoch = :epoch, last_seq = :last_seq WHERE id = 1;
UPDATE recipient_numbers SET last = :recipient WHERE id = 1;
UPDATE hint_generation SET number = :hints WHERE id = 1
