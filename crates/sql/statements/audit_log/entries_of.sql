-- Entries of one action, the newest first.
SELECT {{audit_entry}} FROM audit_log WHERE action = :action AND {{entries_before}}
ORDER BY at DESC, id DESC LIMIT :limit
