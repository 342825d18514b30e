-- Begins to erase a person: from here on the recipient is gone and has a mark. Whoever writes to recipients looks for marks
-- with a lock on their table, which this one waits for: what was begun before is there when the walk begins, and
-- what is begun after finds the mark. Readers and dumps are not held up. Of a row that cannot be taken apart, who asks has read the
-- addresses, and its marks are searched for.
LOCK TABLE erasures IN EXCLUSIVE MODE;
SELECT number FROM recipients WHERE id = :recipient FOR UPDATE;
SELECT recipient FROM inboxes WHERE recipient = (SELECT number FROM recipients WHERE id = :recipient) FOR UPDATE;
WITH begun AS (
  INSERT INTO erasures (id, number, recipient, quoted, quoted_within, addresses, stage, created_at)
  VALUES (:id, (SELECT number FROM recipients WHERE id = :recipient), :recipient, :quoted, :quoted_within,
    CASE WHEN :addresses::text IS NOT NULL THEN :addresses::text ELSE (SELECT coalesce(json_agg(a.value), '[]')::text FROM (
      SELECT v.value FROM recipients r CROSS JOIN LATERAL json_each_text(r.addresses::json) v WHERE r.id = :recipient
      UNION
      SELECT v.value FROM recipients r CROSS JOIN LATERAL json_each_text(r.dead::json) v WHERE r.id = :recipient
    ) a) END,
    'schedules', :now)
  ON CONFLICT DO NOTHING
  RETURNING id
)
INSERT INTO facts (n, type, at, subject, data) SELECT 1, 'operation.started', :now, :subject, '{"action":"erase"}' FROM begun;
WITH deleted AS (
  DELETE FROM recipients WHERE id = (SELECT recipient FROM erasures WHERE recipient = :recipient) RETURNING number, marks
), known_marks AS (
  DELETE FROM recipient_marks y
  USING (SELECT d.number, k.mark FROM deleted d CROSS JOIN LATERAL json_array_elements_text((CASE WHEN :addresses::text IS NULL THEN marks ELSE '[]' END)::json) AS k (mark) OFFSET 0) z
  WHERE y.mark = z.mark AND y.number = z.number
), all_marks AS (
  DELETE FROM recipient_marks y USING deleted d WHERE :addresses::text IS NOT NULL AND y.number = d.number
), deleted_items AS (
  DELETE FROM inbox USING deleted d WHERE inbox.recipient = d.number
), deleted_inbox AS (
  DELETE FROM inboxes USING deleted d WHERE inboxes.recipient = d.number
)
SELECT number FROM deleted;
SELECT id, done, created_at, finished_at, stage FROM erasures WHERE id = :id OR recipient = :recipient ORDER BY CASE WHEN id = :id THEN 0 ELSE 1 END LIMIT 1
