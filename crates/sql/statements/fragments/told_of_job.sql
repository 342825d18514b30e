-- What was asked of a job, as far as its handler is told, and whoever looks at it.
j.kind, j.queue, j.created_at, j.key, {{told}}
