-- The columns of `users`.
u.id, u.name, u.role, u.password, CASE WHEN u.disabled THEN 1 ELSE 0 END, u.created_at, u.signed_in_at, u.failures, u.retry_at, u.issuer, u.subject
