-- How far a look at the newest facts below a number comes, and at how many.
SELECT min(last_seq), count(*) FROM (SELECT last_seq FROM facts WHERE last_seq < :before ORDER BY last_seq DESC LIMIT :budget) f
