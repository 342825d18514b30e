-- Begins another history where this is another copy of the database: once, however many nodes notice it. The first look
-- only takes note. An epoch is the moment it began, for a number that follows the last one would come again when the
-- same copy is put back twice.
WITH looked AS MATERIALIZED (
  SELECT incarnation AS was, incarnation(tableoid) AS present FROM stream WHERE id = 1
), recognised AS (
  UPDATE stream s
  SET incarnation = l.present,
    epoch = CASE WHEN l.was IS NULL THEN s.epoch
      ELSE greatest(s.epoch + 1, (extract(epoch FROM clock_timestamp()) * 1000)::bigint) END
  FROM looked l
  WHERE s.id = 1 AND l.present IS NOT NULL AND s.incarnation IS NOT DISTINCT FROM l.was AND s.incarnation IS DISTINCT FROM l.present
  RETURNING s.epoch, l.was, l.present
), new_hints AS (
  UPDATE hint_generation SET number = number + 1, incarnation = ''
  WHERE id = 1 AND EXISTS (SELECT 1 FROM recognised s WHERE s.was IS NOT NULL)
)
SELECT s.epoch, s.was, s.present FROM recognised s
