-- What is still in a batch steps out of it first, with all that is in it; so it does when one of those that were skipped
-- runs again, for the batch counts on their end. Whoever claims from the batch meanwhile moves its front on: the rows behind what it was
-- are looked through, upwards, and the one that is left is found.
SELECT max(b.first), max(j.queue), max(j.run_at) INTO @first, @queue, @at
FROM jobs j
STRAIGHT_JOIN ready_batches b FORCE INDEX (PRIMARY) ON b.queue = j.queue AND b.run_at = j.run_at AND b.first <= j.id AND b.last >= j.id
WHERE j.id = :job AND @may_unpack;
DELETE FROM unpacking;
INSERT INTO unpacking (first, last, queue, priority, run_at, expires_at, since)
SELECT b.first, b.last, b.queue, b.priority, b.run_at, b.expires_at, b.since
FROM ready_batches b FORCE INDEX (PRIMARY)
WHERE b.queue = @queue AND b.run_at = @at AND b.first >= @first AND b.first <= :job AND b.last >= :job
ORDER BY b.queue, b.run_at, b.first
FOR UPDATE;
{{unpack}}
