-- What is still wanted, @room, comes from batches that nobody else has in hand: from the first of them, and from some more if that is too
-- little. Where others have all of them in hand the first is waited for: who finds nothing believes that nothing is there. All but the last
-- go whole; of that one its front, which is read no further than it is taken. Whether any of their jobs has ended is asked once, for nearly
-- always none has, and to look for each costs as much as to take it. Where none has, and nothing more urgent is taken beside them, they are
-- leased as blocks, if they may be. The front of a batch whose ids have no gaps is found without reading its jobs. Deliveries of a campaign,
-- which their ids tell, differ in what they carry only.
DELETE FROM batching;
DELETE FROM taking;
INSERT INTO batching (first, last, priority, run_at, expires_at, since, n)
SELECT b.first, b.last, b.priority, b.run_at, b.expires_at, b.since, b.n
FROM ready_batches b FORCE INDEX (PRIMARY)
WHERE b.queue = @open AND @room > 0 AND (b.expires_at IS NULL OR b.expires_at > :now)
ORDER BY b.queue, b.run_at, b.first
LIMIT 1
FOR UPDATE SKIP LOCKED;
SELECT @room > 0 AND @batch_priority <= 100 AND count(*) = 0 INTO @has_none FROM batching;
INSERT INTO batching (first, last, priority, run_at, expires_at, since, n)
SELECT b.first, b.last, b.priority, b.run_at, b.expires_at, b.since, b.n
FROM ready_batches b FORCE INDEX (PRIMARY)
WHERE b.queue = @open AND @has_none AND (b.expires_at IS NULL OR b.expires_at > :now)
ORDER BY b.queue, b.run_at, b.first
LIMIT 1
FOR UPDATE;
SELECT max(first), max(n) INTO @first, @n FROM batching;
INSERT INTO batching (first, last, priority, run_at, expires_at, since, n)
SELECT b.first, b.last, b.priority, b.run_at, b.expires_at, b.since, b.n
FROM ready_batches b FORCE INDEX (PRIMARY)
WHERE b.queue = @open AND @room > @n AND b.first <> @first AND (b.expires_at IS NULL OR b.expires_at > :now)
ORDER BY b.queue, b.run_at, b.first
LIMIT 7
FOR UPDATE SKIP LOCKED;
SELECT min(first), max(last) INTO @lowest, @highest FROM batching;
SELECT count(*) INTO @has_ended
FROM (SELECT 1 FROM finished f FORCE INDEX (PRIMARY) WHERE f.job_id >= @lowest AND f.job_id <= @highest LIMIT 1) x;
SET @in_blocks = :in_blocks AND @lowest IS NOT NULL AND NOT @has_ended AND @room = @most;
SET @one_by_one = NOT @in_blocks;
SET @are_alike = coalesce(@open = 'cmp_' || left(@lowest, 26) || '0000000000' AND left(@highest, 26) = left(@lowest, 26), 0);
INSERT INTO claiming (job_id, priority, run_at, expires_at, since, attempt, tries, losses, run, batch)
SELECT j.id, b.priority, b.run_at, b.expires_at, b.since, 0, 0, 0, 1, b.first
FROM (SELECT x.*, sum(x.n) OVER (ORDER BY x.run_at, x.first) AS upto FROM batching x WHERE @one_by_one) b
STRAIGHT_JOIN jobs j FORCE INDEX (PRIMARY) ON j.id >= b.first AND j.id <= b.last AND j.run_at = b.run_at AND j.queue = @open
WHERE b.upto <= @room AND {{is_not_over}};
DELETE r FROM (SELECT x.*, sum(x.n) OVER (ORDER BY x.run_at, x.first) AS upto FROM batching x) b
STRAIGHT_JOIN ready_batches r FORCE INDEX (PRIMARY) ON r.queue = @open AND r.run_at = b.run_at AND r.first = b.first
WHERE b.upto <= @room;
INSERT INTO taking (first, last, run_at, since, is_dense)
SELECT b.first, b.last, b.run_at, b.since, {{is_dense b.first b.last b.n}}
FROM (SELECT x.*, sum(x.n) OVER (ORDER BY x.run_at, x.first) AS upto FROM batching x WHERE @in_blocks) b
WHERE b.upto <= @room;
SELECT NULL, 0 INTO @first, @is_dense;
SELECT b.first, b.last, b.priority, b.run_at, b.expires_at, b.since, {{is_dense b.first b.last b.n}}, @room - b.upto + b.n
  INTO @first, @last, @priority, @at, @expires, @since, @is_dense, @room
FROM (SELECT x.*, sum(x.n) OVER (ORDER BY x.run_at, x.first) AS upto FROM batching x) b
WHERE b.upto > @room AND b.upto - b.n < @room;
SET @is_dense = @is_dense AND @in_blocks;
SELECT CASE WHEN @in_blocks THEN @first END, CASE WHEN @in_blocks AND NOT @is_dense THEN @first END, CASE WHEN @one_by_one THEN @first END INTO @front, @sparse, @single;
INSERT INTO claiming (job_id, priority, run_at, expires_at, since, attempt, tries, losses, run, batch)
SELECT j.id, @priority, @at, @expires, @since, 0, 0, 0, 1, @single
FROM jobs j FORCE INDEX (PRIMARY)
WHERE j.id >= @single AND j.id <= @last AND j.run_at = @at AND j.queue = @open AND {{is_not_over}}
ORDER BY j.id
LIMIT :k;
SELECT count(*) INTO @taken FROM claiming WHERE batch = @single;
SET @cut = (
  SELECT max(x.nth)
  FROM (SELECT nth, row_number() OVER (ORDER BY nth) AS place FROM claiming WHERE batch = @single AND @taken > @room) x
  WHERE x.place <= @room);
DELETE FROM claiming WHERE nth > @cut;
SELECT count(*), max(job_id) INTO @taken, @upto FROM claiming WHERE batch = @single;
SELECT CASE WHEN @sparse IS NOT NULL THEN count(*) ELSE @taken END, CASE WHEN @sparse IS NOT NULL THEN max(x.id) ELSE @upto END INTO @taken, @upto
FROM (
  SELECT y.id, row_number() OVER (ORDER BY y.id) AS place
  FROM (
    SELECT j.id
    FROM jobs j FORCE INDEX (PRIMARY)
    WHERE j.id >= @sparse AND j.id <= @last AND j.run_at = @at AND j.queue = @open
    ORDER BY j.id
    LIMIT :k) y) x
WHERE x.place <= @room;
SELECT CASE WHEN @is_dense THEN @room ELSE @taken END, CASE WHEN @is_dense THEN left(@first, 26) || lpad(lower(hex({{number_of @first}} + @room - 1)), 10, '0') ELSE @upto END INTO @taken, @upto;
INSERT INTO taking (first, last, run_at, since, is_dense) SELECT @front, @upto, @at, @since, @is_dense WHERE @front IS NOT NULL AND @upto IS NOT NULL;
SELECT max(x.id), CASE WHEN max(x.id) IS NULL THEN @first END INTO @next, @over
FROM (
  SELECT j.id
  FROM jobs j FORCE INDEX (PRIMARY)
  LEFT JOIN finished f ON f.job_id = j.id
  WHERE j.id > @upto AND j.id <= @last AND j.run_at = @at AND j.queue = @open AND f.job_id IS NULL
  ORDER BY j.id
  LIMIT 1) x;
DELETE FROM ready_batches WHERE queue = @open AND run_at = @at AND first = @over;
UPDATE ready_batches FORCE INDEX (PRIMARY) SET n = n - @taken, first = @next WHERE queue = @open AND run_at = @at AND first = @first;
{{lease_blocks}}
