-- Oldest program: 1
-- Who somebody is to the provider of sign-ins that they come from: its issuer, its name for them, and the digest of both, which they are
-- found by whatever a database makes of letters. Nothing of somebody who signs in by a password.
ALTER TABLE users ADD COLUMN identity varchar(64) CHECK (char_length(identity) = 64);
ALTER TABLE users ADD COLUMN issuer longtext;
ALTER TABLE users ADD COLUMN subject longtext;
CREATE UNIQUE INDEX users_identity ON users (identity);
