-- Entries of what somebody did, the newest first.
SELECT {{audit_entry}} FROM audit_log WHERE principal = :principal AND {{entries_before}}
  AND (:action::text IS NULL OR action = :action)
ORDER BY at DESC, id DESC LIMIT :limit
