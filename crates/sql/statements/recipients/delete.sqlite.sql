-- Forgets a recipient, and its marks.
DELETE FROM recipient_marks WHERE (mark, number) IN (
  SELECT k.value, r.number FROM recipients r CROSS JOIN json_each(r.marks) k WHERE r.id = :id
);
DELETE FROM recipients WHERE id = :id RETURNING number
