-- For each of some marks, the next numbers that have it.
SELECT k.mark, n.number
FROM unnest(:marks::text[]) AS k (mark)
CROSS JOIN LATERAL (
  SELECT m.number FROM recipient_marks m
  WHERE m.mark = k.mark AND m.number > :after AND m.number <= :until ORDER BY m.number LIMIT :limit
) n
