-- Forgets entries of the audit log that are old.
DELETE FROM audit_log
WHERE (at, id) IN (SELECT at, id FROM audit_log WHERE at < :cutoff ORDER BY at, id LIMIT :limit)
RETURNING id
