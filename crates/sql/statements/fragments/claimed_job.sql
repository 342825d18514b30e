-- What a worker is told of a claimed job, after its id and its lease.
c.attempt + 1, c.tries + 1, c.losses, c.run, c.since, {{told_of_job}}, c.expires_at
