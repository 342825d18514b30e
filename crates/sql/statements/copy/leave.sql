-- Everything is in the other database: this one stays sealed.
UPDATE relocation SET state = 'left', at = :now WHERE id = 1 AND state = 'leaving'
