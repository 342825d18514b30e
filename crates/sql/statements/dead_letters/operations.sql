-- Operations, whatever they do, newest first.
SELECT *
FROM (
  SELECT * FROM (SELECT {{operation}} FROM operations WHERE id < :before ORDER BY id DESC LIMIT :limit) o
  UNION ALL
  SELECT * FROM (SELECT {{job_operation}} FROM job_operations WHERE id < :before ORDER BY id DESC LIMIT :limit) j
  UNION ALL
  SELECT * FROM (SELECT {{erasure}} FROM erasures WHERE id < :before ORDER BY id DESC LIMIT :limit) e
) x
ORDER BY id DESC LIMIT :limit
