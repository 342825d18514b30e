-- Begins to erase a person: from here on the recipient is gone and has a mark. Whoever writes of people shares the lock on the row of
-- `erasing`, which this one waits for: what was begun before is there when the walk begins, and what is begun after finds the mark.
-- Of a row that cannot be taken apart, who asks has read the addresses, and its marks are searched for.
SELECT id INTO @held FROM erasing WHERE id = 1 FOR UPDATE;
SET @number = (SELECT number FROM recipients WHERE id = :recipient FOR UPDATE);
SELECT 1 INTO @held FROM inboxes WHERE recipient = @number FOR UPDATE;
INSERT INTO erasures (id, number, recipient, quoted, quoted_within, addresses, stage, created_at)
VALUES (:id, @number, :recipient, :quoted, :quoted_within,
  CASE WHEN :addresses IS NOT NULL THEN :addresses ELSE (SELECT coalesce(json_arrayagg(a.value), '[]') FROM (
    SELECT v.value FROM recipients r STRAIGHT_JOIN json_table(r.addresses, '$.*' COLUMNS (value longtext PATH '$')) v WHERE r.id = :recipient
    UNION
    SELECT v.value FROM recipients r STRAIGHT_JOIN json_table(r.dead, '$.*' COLUMNS (value longtext PATH '$')) v WHERE r.id = :recipient
  ) a) END,
  'schedules', :now)
ON DUPLICATE KEY UPDATE erasures.id = erasures.id;
INSERT INTO facts (n, type, at, subject, data)
SELECT 1, 'operation.started', :now, :subject, '{"action":"erase"}' WHERE row_count() > 0;
SET @gone = (SELECT @number FROM erasures WHERE recipient = :recipient);
DELETE y
FROM recipients r
STRAIGHT_JOIN json_table(CASE WHEN :addresses IS NULL THEN r.marks ELSE '[]' END, '$[*]' COLUMNS (mark varchar(512) PATH '$')) k
STRAIGHT_JOIN recipient_marks y FORCE INDEX (PRIMARY) ON y.mark = k.mark AND y.number = r.number
WHERE r.number = @gone;
DELETE FROM recipient_marks WHERE number = CASE WHEN :addresses IS NOT NULL THEN @gone END;
DELETE i FROM inbox i FORCE INDEX (PRIMARY) WHERE i.recipient = @gone;
DELETE FROM inboxes WHERE recipient = @gone;
DELETE FROM recipients WHERE number = @gone;
SELECT id, done, created_at, finished_at, stage FROM erasures WHERE id = :id OR recipient = :recipient ORDER BY CASE WHEN id = :id THEN 0 ELSE 1 END LIMIT 1
