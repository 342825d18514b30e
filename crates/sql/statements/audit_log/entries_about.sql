-- Entries of what was done to something, the newest first.
SELECT {{audit_entry}} FROM audit_log WHERE object = :object AND {{entries_before}}
  AND (:principal::text IS NULL OR principal = :principal) AND (:action::text IS NULL OR action = :action)
ORDER BY at DESC, id DESC LIMIT :limit
