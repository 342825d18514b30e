-- How many recipients have each of some marks, counted to a limit.
SELECT k.mark, (
  SELECT count(*) FROM (
    SELECT 1 FROM recipient_marks m WHERE m.mark = k.mark AND m.number > :after AND m.number <= :until LIMIT :limit
  ) n
)
FROM unnest(:marks::text[]) AS k (mark)
