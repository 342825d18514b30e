-- Begins to erase a person: from here on the recipient is gone and has a mark. Of a row that cannot be taken apart,
-- who asks has read the addresses, and its marks are searched for.
INSERT INTO facts (n, type, at, subject, data)
SELECT 1, 'operation.started', :now, :subject, '{"action":"erase"}' WHERE NOT EXISTS (SELECT 1 FROM erasures WHERE id = :id OR recipient = :recipient);
INSERT INTO erasures (id, number, recipient, quoted, quoted_within, addresses, stage, created_at)
VALUES (:id, (SELECT number FROM recipients WHERE id = :recipient), :recipient, :quoted, :quoted_within,
  CASE WHEN :addresses IS NOT NULL THEN :addresses ELSE (SELECT json_group_array(a.value) FROM (
    SELECT v.value FROM recipients r CROSS JOIN json_each(r.addresses) v WHERE r.id = :recipient
    UNION
    SELECT v.value FROM recipients r CROSS JOIN json_each(r.dead) v WHERE r.id = :recipient
  ) a) END,
  'schedules', :now)
ON CONFLICT DO NOTHING;
DELETE FROM recipient_marks WHERE (mark, number) IN (
  SELECT k.value, r.number FROM recipients r CROSS JOIN json_each(CASE WHEN :addresses IS NULL THEN r.marks ELSE '[]' END) k WHERE r.id = (SELECT recipient FROM erasures WHERE recipient = :recipient)
);
DELETE FROM recipient_marks
WHERE :addresses IS NOT NULL AND number = (SELECT number FROM recipients WHERE id = (SELECT recipient FROM erasures WHERE recipient = :recipient));
DELETE FROM inbox WHERE recipient = (SELECT number FROM recipients WHERE id = (SELECT recipient FROM erasures WHERE recipient = :recipient));
DELETE FROM inboxes WHERE recipient = (SELECT number FROM recipients WHERE id = (SELECT recipient FROM erasures WHERE recipient = :recipient));
DELETE FROM recipients WHERE id = (SELECT recipient FROM erasures WHERE recipient = :recipient);
SELECT id, done, created_at, finished_at, stage FROM erasures WHERE id = :id OR recipient = :recipient ORDER BY CASE WHEN id = :id THEN 0 ELSE 1 END LIMIT 1
