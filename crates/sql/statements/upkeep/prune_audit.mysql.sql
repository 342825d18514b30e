-- Forgets entries of the audit log that are old.
SELECT id FROM audit_log WHERE at < :cutoff ORDER BY at, id LIMIT :limit;
DELETE FROM audit_log WHERE at < :cutoff ORDER BY at, id LIMIT :limit
