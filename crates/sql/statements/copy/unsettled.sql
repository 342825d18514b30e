-- Whether something is under way: a job that is held, or a fact without a number.
SELECT 1 WHERE EXISTS (SELECT 1 FROM facts WHERE last_seq IS NULL) OR EXISTS (SELECT 1 FROM held)
