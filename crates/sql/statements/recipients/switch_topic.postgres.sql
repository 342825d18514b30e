-- Changes the topics of a recipient that are still as they were seen, and the mark of one of them.
SELECT number FROM recipients WHERE number = :number FOR UPDATE;
WITH changed AS (
  UPDATE recipients SET topics = :topics, marks = :marks, updated_at = :now
  WHERE number = :number AND topics = :old_topics AND marks = :old_marks
  RETURNING number
), dropped_mark AS (
  DELETE FROM recipient_marks m USING changed c WHERE m.mark = :mark AND m.number = c.number AND NOT CAST(:on AS boolean)
), added_mark AS (
  INSERT INTO recipient_marks (mark, number) SELECT :mark, number FROM changed WHERE CAST(:on AS boolean)
)
SELECT number FROM changed
