-- How many recipients have each of some marks, counted to where the first of them has come to a limit; those that nobody has are left out.
{{reach}}
SELECT m.mark, least(count(*), :limit)
FROM recipient_marks m WHERE m.mark IN (:marks) AND m.number > :after AND m.number <= @reach
GROUP BY m.mark
