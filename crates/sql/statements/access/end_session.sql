-- Ends a session.
DELETE FROM sessions WHERE digest = :digest {{returning_gone digest :digest}}
