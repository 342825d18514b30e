-- Oldest program: 19
-- Which copy of the database the history of events belongs to. NULL until a server has looked.
ALTER TABLE stream ADD COLUMN incarnation text;

-- What this copy is: the cluster, its timeline, the database, and the table that holds the history. A dump that
-- was restored, a cluster that was taken back in time and a standby that was promoted are others. NULL where it
-- cannot be asked: by a user without the right, on a standby.
CREATE FUNCTION incarnation(history oid) RETURNS text
LANGUAGE plpgsql STABLE
AS $$
BEGIN
  RETURN (SELECT s.system_identifier FROM pg_control_system() s)
    || '/' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8)
    || '/' || (SELECT d.oid FROM pg_database d WHERE d.datname = current_database())
    || '/' || history;
EXCEPTION WHEN OTHERS THEN
  RETURN NULL;
END
$$;
