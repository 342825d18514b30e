-- The steps that were applied, each with the oldest program that may run on it.
SELECT name, digest, CAST(oldest_program AS {{whole}}) FROM schema_migrations
