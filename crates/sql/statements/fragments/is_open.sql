-- Whether a queue gives jobs, and has no limits of its own.
q.name = :queue AND NOT q.paused AND q.max_running IS NULL AND q.rate IS NULL
