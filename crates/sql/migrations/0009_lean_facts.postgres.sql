-- A fact that nobody has numbered yet stands in one index only; the others take it with its number.
-- An idle system waits for every index of what it writes.
DROP INDEX facts_number;
CREATE UNIQUE INDEX facts_number ON facts (last_seq) WHERE last_seq IS NOT NULL;
DROP INDEX facts_at;
CREATE INDEX facts_at ON facts (at) WHERE last_seq IS NOT NULL;
ALTER TABLE facts DROP CONSTRAINT facts_pkey;
