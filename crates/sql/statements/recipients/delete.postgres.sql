-- Forgets a recipient, its marks and its inbox: what came from whoever had to be waited for, too.
SELECT number FROM recipients WHERE id = :id FOR UPDATE;
SELECT recipient FROM inboxes WHERE recipient = (SELECT number FROM recipients WHERE id = :id) FOR UPDATE;
WITH deleted AS (
  DELETE FROM recipients WHERE id = :id RETURNING number, marks
), deleted_marks AS (
  DELETE FROM recipient_marks y
  USING (SELECT d.number, k.mark FROM deleted d CROSS JOIN LATERAL json_array_elements_text(marks::json) AS k (mark) OFFSET 0) z
  WHERE y.mark = z.mark AND y.number = z.number
), deleted_items AS (
  DELETE FROM inbox USING deleted d WHERE inbox.recipient = d.number
), deleted_inbox AS (
  DELETE FROM inboxes USING deleted d WHERE inboxes.recipient = d.number
)
SELECT number FROM deleted
