-- How many recipients have each of some marks, counted to a limit.
DELETE FROM marking;
INSERT INTO marking (mark, number)
VALUES (:marks, (SELECT count(*) FROM (SELECT 1 FROM recipient_marks m WHERE m.mark = :marks AND m.number > :after AND m.number <= :until LIMIT :limit) n));
SELECT mark, number FROM marking
