-- Whether a key other than the new one has come into the place of one before: whoever bears it bears its name and permissions.
SELECT id FROM api_keys WHERE created_by = :old AND name = :name AND permissions = :permissions AND id <> :new LIMIT 1
