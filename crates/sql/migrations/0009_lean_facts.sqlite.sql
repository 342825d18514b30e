-- A fact that nobody has numbered yet stands in one index only, where the empty number is found as well
-- as any other; the index on time takes it with its number.
DROP INDEX facts_unnumbered;
DROP INDEX facts_at;
CREATE INDEX facts_at ON facts (at) WHERE last_seq IS NOT NULL;
