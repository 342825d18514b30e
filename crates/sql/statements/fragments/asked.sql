-- The columns of `jobs` that say what was asked.
priority, payload, run_at, max_attempts, backoff, timeout_us, expires_at, delivery, tags
