-- Writes what became of notifications without a person; a key that quotes them goes.
UPDATE notifications SET sent = :sents, key = CASE WHEN :keeps_keys = 1 THEN key END WHERE id = :ids
