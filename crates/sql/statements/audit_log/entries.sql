-- Entries, the newest first.
SELECT {{audit_entry}} FROM audit_log WHERE {{entries_before}}
ORDER BY at DESC, id DESC LIMIT :limit
