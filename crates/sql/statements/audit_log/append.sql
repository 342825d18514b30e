-- Writes an entry of the audit log, once.
INSERT INTO audit_log (at, id, principal, name, action, object, was, to_be, reason, n, request_id)
VALUES (:at, :id, :principal, :name, :action, :object, :was, :to_be, :reason, :n, :request_id)
{{unless_there audit_log at,id id}}
