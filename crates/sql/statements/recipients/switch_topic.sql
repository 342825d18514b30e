-- Changes the topics of a recipient that are still as they were seen, and the mark of one of them.
{{hold recipients number :number}}
DELETE FROM recipient_marks
WHERE mark = :mark AND number = :number AND NOT :on
  AND EXISTS (SELECT 1 FROM recipients WHERE number = :number AND topics = :old_topics AND marks = :old_marks);
INSERT INTO recipient_marks (mark, number)
SELECT :mark, number FROM recipients WHERE number = :number AND topics = :old_topics AND marks = :old_marks AND :on;
UPDATE recipients SET topics = :topics, marks = :marks, updated_at = :now
WHERE number = :number AND topics = :old_topics AND marks = :old_marks
{{returning number recipients number :number}}
