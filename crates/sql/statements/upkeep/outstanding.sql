-- What waits for somebody to turn to it. Each answer is the first entry of a range of an index.
SELECT
  CASE WHEN EXISTS (SELECT 1 FROM facts WHERE last_seq IS NULL) THEN 1 ELSE 0 END,
  (SELECT w.run_at FROM waiting w WHERE w.run_at <= :now AND w.run >= 1 ORDER BY w.run_at, w.job_id LIMIT 1),
  coalesce(
    (SELECT w.expires_at FROM waiting w WHERE w.expires_at <= :now ORDER BY w.expires_at LIMIT 1),
    (SELECT r.expires_at FROM ready r WHERE r.expires_at <= :now ORDER BY r.expires_at LIMIT 1),
    (SELECT b.expires_at FROM ready_batches b WHERE b.expires_at <= :now ORDER BY b.expires_at LIMIT 1)),
  (SELECT w.expires_at FROM waiting w WHERE w.expires_at > :now ORDER BY w.expires_at LIMIT 1),
  (SELECT r.expires_at FROM ready r WHERE r.expires_at > :now ORDER BY r.expires_at LIMIT 1),
  (SELECT b.expires_at FROM ready_batches b WHERE b.expires_at > :now ORDER BY b.expires_at LIMIT 1),
  (SELECT c.start_at FROM campaigns c WHERE c.finished_at IS NULL AND c.state = 'scheduled' AND c.start_at > :now ORDER BY c.start_at, c.id LIMIT 1),
  CASE WHEN EXISTS (
    SELECT 1 FROM campaigns c
    WHERE c.finished_at IS NULL AND (c.state IN ('expanding', 'sending', 'canceled') OR c.state = 'scheduled' AND c.start_at <= :now))
  THEN 1 ELSE 0 END,
  CASE WHEN EXISTS (SELECT 1 FROM operations WHERE finished_at IS NULL) OR EXISTS (SELECT 1 FROM job_operations WHERE finished_at IS NULL) OR EXISTS (SELECT 1 FROM erasures WHERE finished_at IS NULL) THEN 1 ELSE 0 END,
  CASE WHEN EXISTS (SELECT 1 FROM schedules s WHERE s.due_at <= :now) THEN 1 ELSE 0 END,
  CASE WHEN EXISTS (SELECT 1 FROM staged_jobs WHERE refused IS NULL) THEN 1 ELSE 0 END,
  CASE WHEN (SELECT r.queue FROM ready r WHERE r.queue > '' AND r.run >= 1 ORDER BY r.queue, r.priority, r.run_at, r.job_id LIMIT 1) IS NOT NULL
    OR (SELECT b.queue FROM ready_batches b WHERE b.queue > '' AND b.n >= 1 ORDER BY b.queue, b.run_at, b.first LIMIT 1) IS NOT NULL THEN 1 ELSE 0 END,
  CASE WHEN EXISTS (SELECT 1 FROM leases) THEN 1 ELSE 0 END,
  (SELECT g.number FROM hint_generation g WHERE g.id = 1),
  (SELECT {{is_another_copy}} FROM stream WHERE id = 1)
