-- Oldest program: 1
-- Who somebody is to the provider of sign-ins that they come from: its issuer, its name for them, and the digest of both, which they are
-- found by whatever a database makes of letters. Nothing of somebody who signs in by a password.
ALTER TABLE users ADD COLUMN identity text COLLATE "C" CHECK (length(identity) = 64);
ALTER TABLE users ADD COLUMN issuer text;
ALTER TABLE users ADD COLUMN subject text;
CREATE UNIQUE INDEX users_identity ON users (identity);
