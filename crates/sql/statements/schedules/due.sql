-- The schedules that are due next, whether they are due now or not.
SELECT id, name, cron, time_zone, template, lead_us, missed, missed_max, revision, CASE WHEN paused THEN 1 ELSE 0 END, next_at, last_at, created_at, updated_at, due_at
FROM schedules WHERE due_at IS NOT NULL ORDER BY due_at LIMIT :limit
