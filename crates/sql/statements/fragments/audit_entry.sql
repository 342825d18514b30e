-- The columns of `audit_log`. The first is what a row is called by.
id, at, principal, name, action, object, was, to_be, reason, n, request_id
