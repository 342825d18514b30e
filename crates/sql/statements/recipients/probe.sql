-- How many recipients have each of some marks, counted to a limit.
SELECT k.value, (
  SELECT count(*) FROM (
    SELECT 1 FROM recipient_marks m WHERE m.mark = k.value AND m.number > :after AND m.number <= :until LIMIT :limit
  ) n
)
FROM {{listed :marks text}} k
