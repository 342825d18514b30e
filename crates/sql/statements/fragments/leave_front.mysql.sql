-- What was claimed is no longer in line. Where it is all that stands between the first of it and the last, as nearly always, that stretch goes
-- at once, the last by itself: to see where a stretch ends is to wait for whoever holds the next. What has come into it since it was
-- counted takes all back, as two rows for one variable, and the claim begins anew. Else each is looked up. Of a table that it believes empty
-- MySQL reads and locks everything, whatever is forced, unless a hint says otherwise. MariaDB goes by force.
SELECT count(*), max(priority), min(run_at), max(run_at), count(*) > 0 AND min(priority) = max(priority) INTO @claimed, @priority, @from_at, @to_at, @is_front
FROM claiming WHERE batch IS NULL;
SELECT min(job_id) INTO @from_job FROM claiming WHERE run_at = @from_at AND batch IS NULL;
SELECT max(job_id), if(@from_at = @to_at, @from_job, ''), if(@from_at = @to_at, max(job_id), 'g') INTO @to_job, @low, @high FROM claiming WHERE run_at = @to_at AND batch IS NULL;
SELECT @is_front AND count(*) + 1 = @claimed INTO @is_front FROM ready r FORCE INDEX (PRIMARY) WHERE @is_front AND {{front}};
DELETE /*+ INDEX(r PRIMARY) */ /*M! r */ FROM ready r /*M! FORCE INDEX (PRIMARY) */ WHERE @is_front AND {{front}};
SET @gone = row_count();
DELETE r FROM ready r FORCE INDEX (PRIMARY)
WHERE @is_front AND r.queue = @open AND r.priority = @priority AND r.run_at = @to_at AND r.job_id = @to_job;
SET @gone = @gone + row_count();
SELECT x.n INTO @none FROM (SELECT 1 AS n UNION ALL SELECT 2) x WHERE @is_front AND @gone <> @claimed;
SET @is_scattered = NOT @is_front;
DELETE r FROM claiming c STRAIGHT_JOIN ready r FORCE INDEX (PRIMARY)
ON r.queue = @open AND r.priority = c.priority AND r.run_at = c.run_at AND r.job_id = c.job_id
WHERE @is_scattered AND c.batch IS NULL;
