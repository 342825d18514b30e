-- Forgets a recipient, its marks and its inbox: what came from whoever had to be waited for, too.
SET @number = (SELECT number FROM recipients WHERE id = :id FOR UPDATE);
SELECT 1 INTO @held FROM inboxes WHERE recipient = @number FOR UPDATE;
DELETE y
FROM recipients r
STRAIGHT_JOIN json_table(r.marks, '$[*]' COLUMNS (mark varchar(512) PATH '$')) k
STRAIGHT_JOIN recipient_marks y FORCE INDEX (PRIMARY) ON y.mark = k.mark AND y.number = r.number
WHERE r.number = @number;
DELETE i FROM inbox i FORCE INDEX (PRIMARY) WHERE i.recipient = @number;
DELETE FROM inboxes WHERE recipient = @number;
DELETE FROM recipients WHERE number = @number;
SELECT @number WHERE row_count() > 0
