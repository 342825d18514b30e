-- The steps that were applied, each with the oldest program that may run on it where that is written down.
SELECT name, digest, CAST(NULL AS bigint) FROM schema_migrations
UNION ALL SELECT name, digest, CAST(oldest_program AS bigint) FROM schema_steps
