-- From the first of what was claimed up to the last.
r.queue = @open AND r.priority = @priority
  AND (r.run_at = @from_at AND r.job_id >= @from_job AND r.job_id < @high
    OR r.run_at > @from_at AND r.run_at < @to_at
    OR r.run_at = @to_at AND r.job_id >= @low AND r.job_id < @to_job)
