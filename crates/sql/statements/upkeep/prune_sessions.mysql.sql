-- Forgets sessions that have ended. None goes on past its idle end.
SELECT digest FROM sessions WHERE idle_until <= :now ORDER BY idle_until, digest LIMIT :limit;
DELETE /*+ INDEX(sessions sessions_idle_until) */ FROM sessions WHERE idle_until <= :now ORDER BY idle_until, digest LIMIT :limit
