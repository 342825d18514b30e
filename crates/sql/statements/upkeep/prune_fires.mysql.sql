-- Forgets lines of the histories of schedules that are old.
SELECT at FROM fires WHERE recorded_at < :cutoff ORDER BY recorded_at, schedule_id, at LIMIT :limit;
DELETE FROM fires WHERE recorded_at < :cutoff ORDER BY recorded_at, schedule_id, at LIMIT :limit
