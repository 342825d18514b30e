-- Oldest program: 1
-- The language that a recipient reads: which text of a message it is told.
ALTER TABLE recipients ADD COLUMN locale varchar(64);
