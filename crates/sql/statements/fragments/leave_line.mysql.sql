-- What is moving is no longer in line: it is found by the primary key, in which all come to it.
DELETE r FROM moving m STRAIGHT_JOIN ready r FORCE INDEX (PRIMARY)
ON r.queue = m.queue AND r.priority = m.priority AND r.run_at = m.run_at AND r.job_id = m.job_id;
