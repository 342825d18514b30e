-- What is still wanted, @room, comes from the first batch that nobody else has in hand: whole, or its front.
SET @first = NULL;
SELECT b.first, b.last, b.priority, b.run_at, b.expires_at, b.since INTO @first, @last, @priority, @at, @expires, @since
FROM ready_batches b FORCE INDEX (PRIMARY)
WHERE b.queue = @open AND @room > 0 AND (b.expires_at IS NULL OR b.expires_at > :now)
ORDER BY b.queue, b.run_at, b.first
LIMIT 1
FOR UPDATE SKIP LOCKED;
INSERT INTO claiming (job_id, priority, run_at, expires_at, since, attempt, tries, losses, run, batch)
SELECT x.id, @priority, @at, @expires, @since, 0, 0, 0, 1, @first
FROM (
  SELECT y.id, row_number() OVER (ORDER BY y.id) AS place
  FROM (
    SELECT j.id
    FROM jobs j FORCE INDEX (PRIMARY)
    LEFT JOIN finished f ON f.job_id = j.id
    WHERE j.id >= @first AND j.id <= @last AND j.run_at = @at AND j.queue = @open AND f.job_id IS NULL
    ORDER BY j.id
    LIMIT :k) y) x
WHERE x.place <= @room
ORDER BY x.place;
SELECT count(*), max(job_id) INTO @taken, @upto FROM claiming WHERE batch = @first;
SET @room = @room - @taken;
SELECT max(x.id) INTO @next
FROM (
  SELECT j.id
  FROM jobs j FORCE INDEX (PRIMARY)
  LEFT JOIN finished f ON f.job_id = j.id
  WHERE j.id > @upto AND j.id <= @last AND j.run_at = @at AND j.queue = @open AND f.job_id IS NULL
  ORDER BY j.id
  LIMIT 1) x;
DELETE FROM ready_batches WHERE queue = @open AND run_at = @at AND first = @first AND @next IS NULL;
UPDATE ready_batches SET n = n - @taken, first = @next WHERE queue = @open AND run_at = @at AND first = @first AND @next IS NOT NULL;
