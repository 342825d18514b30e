-- What was asked of a job, as far as a worker needs it.
j.kind, j.queue, j.payload, j.max_attempts, j.backoff, j.timeout_us, j.delivery, j.created_at, j.key, j.tags, j.trace
