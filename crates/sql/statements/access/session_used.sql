-- Moves the idle end of a session that stands; never to an earlier time, never past its end.
UPDATE sessions SET idle_until = {{least}}(:idle_until, ends_at)
WHERE digest = :digest AND idle_until > :now AND ends_at > :now AND idle_until < {{least}}(:idle_until, ends_at)
