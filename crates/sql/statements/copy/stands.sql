-- How this database stands to another one.
SELECT relocation_id, state, peer, installation, target FROM relocation WHERE id = 1
