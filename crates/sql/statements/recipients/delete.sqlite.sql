-- Forgets a recipient, its marks and its inbox.
DELETE FROM recipient_marks WHERE (mark, number) IN (
  SELECT k.value, r.number FROM recipients r CROSS JOIN json_each(r.marks) k WHERE r.id = :id
);
DELETE FROM inbox WHERE recipient = (SELECT number FROM recipients WHERE id = :id);
DELETE FROM inboxes WHERE recipient = (SELECT number FROM recipients WHERE id = :id);
DELETE FROM recipients WHERE id = :id RETURNING number
