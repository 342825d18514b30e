-- Forgets lines of the histories of schedules that are old.
DELETE FROM fires
WHERE (schedule_id, at) IN (SELECT schedule_id, at FROM fires WHERE recorded_at < :cutoff ORDER BY recorded_at LIMIT :limit)
RETURNING at
