-- What is recorded of an attempt.
SELECT lease_id, outcome FROM attempts WHERE job_id = :job AND attempt = :attempt
