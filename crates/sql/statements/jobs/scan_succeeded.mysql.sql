-- The next candidates among succeeded jobs, newest first. As many blocks are read, each whole, as have so many jobs, and one more, of which some may be
-- too new. No bound is told for the ids of jobs but that of their row: one for all would have all between them read.
SELECT c.id, {{is_searched}} AS matches
FROM (
  SELECT id FROM (SELECT job_id AS id FROM successes WHERE job_id >= :lowest AND job_id < :before ORDER BY job_id DESC LIMIT :budget) AS s
  UNION ALL
  SELECT id FROM (SELECT job_id AS id FROM finished WHERE job_id >= :lowest AND job_id < :before AND state = 'succeeded' ORDER BY job_id DESC LIMIT :budget) AS f
  UNION ALL
  SELECT id
  FROM (
    SELECT j.id
    FROM (
      SELECT x.*, sum(bit_count(x.bits)) OVER (ORDER BY x.block DESC) - sum(bit_count(x.bits)) OVER (PARTITION BY x.block) AS before_it
      FROM (
        SELECT s.block, s.bits, s.first, s.last
        FROM success_blocks s FORCE INDEX (PRIMARY)
        WHERE s.block >= {{block :lowest}} AND s.block <= {{block :before}}
        ORDER BY s.block DESC
        LIMIT :block_rows) x) y
    STRAIGHT_JOIN jobs j FORCE INDEX (PRIMARY) ON j.id >= y.first AND j.id <= y.last AND (y.bits & {{bit j.id}}) > 0
    WHERE y.before_it < :budget + 64 AND (j.id >= :lowest AND j.id < :before) IS TRUE
    ORDER BY j.id DESC
    LIMIT :budget) AS b
  ORDER BY id DESC
  LIMIT :budget
) AS c
STRAIGHT_JOIN jobs j FORCE INDEX (PRIMARY) ON j.id = c.id
ORDER BY c.id DESC
