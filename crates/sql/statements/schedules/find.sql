-- One schedule.
SELECT id, name, cron, time_zone, template, lead_us, missed, missed_max, revision, CASE WHEN paused THEN 1 ELSE 0 END, next_at, last_at, created_at, updated_at
FROM schedules WHERE id = :id
