-- A result that came too late to count is history.
INSERT INTO late_results (job_id, attempt, outcome, at, adopted)
SELECT a.job_id, a.attempt, :outcome, :now, false FROM results a WHERE a.job_id = :job AND a.attempt = :attempt AND a.lease_id = :lease
{{unless_there late_results job_id,attempt job_id}}
