-- Whether a job of a batch is still to be done.
(NOT @has_ended OR (SELECT f.job_id FROM finished f FORCE INDEX (PRIMARY) WHERE f.job_id = j.id) IS NULL)
