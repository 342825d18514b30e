-- For each of some marks, the next numbers that have it.
SELECT k.value, n.number
FROM json_each(:marks) k CROSS JOIN recipient_marks n
  ON n.mark = k.value AND n.number > :after AND n.number <= coalesce(
    (SELECT m.number FROM recipient_marks m
     WHERE m.mark = k.value AND m.number > :after AND m.number <= :until ORDER BY m.number LIMIT 1 OFFSET :limit - 1),
    :until)
