-- Changes the topics of a recipient that are still as they were seen, and the mark of one of them.
SELECT number FROM recipients WHERE number = :number FOR UPDATE;
WITH c AS (
  UPDATE recipients SET topics = :topics, marks = :marks, updated_at = :now
  WHERE number = :number AND topics = :old_topics AND marks = :old_marks
  RETURNING number
), d AS (
  DELETE FROM recipient_marks m USING c WHERE m.mark = :mark AND m.number = c.number AND NOT CAST(:on AS boolean)
), a AS (
  INSERT INTO recipient_marks (mark, number) SELECT :mark, number FROM c WHERE CAST(:on AS boolean)
)
SELECT number FROM c
