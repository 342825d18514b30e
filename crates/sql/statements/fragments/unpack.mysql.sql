-- What steps out of the line of batches stands alone from now on, with all that is in its batch.
INSERT INTO ready (queue, priority, run_at, job_id, expires_at, since, attempt, tries, losses, run)
SELECT u.queue, u.priority, u.run_at, j.id, u.expires_at, u.since, 0, 0, 0, 1
FROM unpacking u
STRAIGHT_JOIN jobs j FORCE INDEX (PRIMARY) ON j.id >= u.first AND j.id <= u.last AND j.run_at = u.run_at AND j.queue = u.queue
LEFT JOIN finished f ON f.job_id = j.id
WHERE f.job_id IS NULL;
DELETE b FROM unpacking u STRAIGHT_JOIN ready_batches b FORCE INDEX (PRIMARY) ON b.queue = u.queue AND b.run_at = u.run_at AND b.first = u.first;
