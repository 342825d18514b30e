-- Oldest program: 1
-- How many nodes were lost, one after the other, over the chunk of a campaign that begins at a cursor.
ALTER TABLE campaigns ADD COLUMN losses integer NOT NULL DEFAULT 0, ADD COLUMN lost_at bigint;
