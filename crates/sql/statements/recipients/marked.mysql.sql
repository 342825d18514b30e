-- For each of some marks, the next numbers that have it, up to where one of them has as many as are wanted. What was counted may have gone
-- meanwhile: where none has as many, all that is left is looked at.
{{reach}}
SELECT x.mark, x.number
FROM (
  SELECT m.mark, m.number, row_number() OVER (PARTITION BY m.mark ORDER BY m.number) AS nth
  FROM recipient_marks m WHERE m.mark IN (:marks) AND m.number > :after AND m.number <= @reach
) x
WHERE x.nth <= :limit
UNION ALL
SELECT m.mark, m.number
FROM recipient_marks m
WHERE m.mark IN (:marks) AND m.number > @reach AND m.number <= :until
  AND NOT EXISTS (SELECT 1 FROM recipient_marks y WHERE y.mark IN (:marks) AND y.number > :after AND y.number <= @reach GROUP BY y.mark HAVING count(*) >= :limit)
