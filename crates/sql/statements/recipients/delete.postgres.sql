-- Forgets a recipient, and its marks: those of whoever had to be waited for too.
SELECT number FROM recipients WHERE id = :id FOR UPDATE;
WITH d AS (
  DELETE FROM recipients WHERE id = :id RETURNING number, marks
), m AS (
  DELETE FROM recipient_marks y
  USING (SELECT d.number, k.mark FROM d CROSS JOIN LATERAL json_array_elements_text(marks::json) AS k (mark)) z
  WHERE y.mark = z.mark AND y.number = z.number
)
SELECT number FROM d
