-- The next candidates among claimable jobs, newest first.
SELECT c.id, {{is_searched}} AS matches
FROM (
  SELECT id FROM (SELECT job_id AS id FROM ready WHERE job_id >= :lowest AND job_id < :before ORDER BY job_id DESC LIMIT :budget) r
  UNION ALL
  -- Batch by batch, the latest first, and no further than it takes, the first of them not counted, as it may lie beyond in part: none
  -- has ids between those of another. Each is read by its own bounds, which those of the page would hide if they were told of the bare column.
  SELECT id FROM (
    SELECT j.id
    FROM (
      SELECT x.first, x.last, x.queue, x.run_at, sum(x.n) OVER (ORDER BY x.first DESC) - x.n - first_value(x.n) OVER (ORDER BY x.first DESC) AS before_it
      FROM (
        SELECT * FROM ready_batches FORCE INDEX (ready_batches_first)
        WHERE first < :before AND first >= coalesce((SELECT max(y.first) FROM ready_batches y WHERE y.first <= :lowest), :lowest)
        ORDER BY first DESC LIMIT :budget) x) b
    STRAIGHT_JOIN jobs j FORCE INDEX (PRIMARY) ON j.id >= b.first AND j.id <= b.last AND j.run_at = b.run_at AND j.queue = b.queue
    LEFT JOIN finished f ON f.job_id = j.id
    WHERE b.before_it < :budget AND concat(j.id) >= :lowest AND concat(j.id) < :before AND f.job_id IS NULL
    ORDER BY j.id DESC
    LIMIT :budget) b
  ORDER BY id DESC
  LIMIT :budget
) AS c
STRAIGHT_JOIN jobs j FORCE INDEX (PRIMARY) ON j.id = c.id
ORDER BY c.id DESC
