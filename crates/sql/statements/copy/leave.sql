-- Everything is in the other database: this one stays sealed. Says so, unless the copy was given up meanwhile.
UPDATE relocation SET state = 'left', at = :now WHERE id = 1 AND relocation_id = :relocation_id AND state = 'leaving';
SELECT 1 FROM relocation WHERE id = 1 AND relocation_id = :relocation_id AND state = 'left'
