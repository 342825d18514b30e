-- How many transactions the database has ended. A connection tells of its own within a second while it
-- works, and when it ends.
SELECT xact_commit + xact_rollback FROM pg_stat_database WHERE datname = current_database()
