-- Whether this copy still fills this database; it stays so until the transaction has ended.
SELECT 1 FROM relocation WHERE id = 1 AND relocation_id = :relocation_id AND state = 'arriving' {{for_update}}
