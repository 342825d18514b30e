-- Forgets sessions that have ended. None goes on past its idle end.
DELETE FROM sessions
WHERE digest IN (SELECT digest FROM sessions WHERE idle_until <= :now ORDER BY idle_until LIMIT :limit)
RETURNING digest
