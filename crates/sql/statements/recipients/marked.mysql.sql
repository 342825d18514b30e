-- For each of some marks, the next numbers that have it: up to where the first of them has more than so many.
DELETE FROM marking;
INSERT INTO marking (number)
VALUES ((SELECT m.number FROM recipient_marks m WHERE m.mark = :marks AND m.number > :after AND m.number <= :until ORDER BY m.number LIMIT 1 OFFSET :limit));
SET @more = (SELECT coalesce(min(number), 9223372036854775807) FROM marking);
SELECT m.mark, m.number FROM recipient_marks m WHERE m.mark IN (:marks) AND m.number > :after AND m.number <= :until AND m.number < @more
