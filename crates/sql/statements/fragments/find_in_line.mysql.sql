-- Where a job stands in line, looked up without a lock: it is locked by the primary key, in which all come to it.
SELECT max(queue), max(priority), max(run_at) INTO @queue, @priority, @at FROM ready WHERE job_id = :job;
