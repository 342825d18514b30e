-- Adds a schedule, unless it or its name is there; whoever has the name is told.
INSERT INTO facts (n, type, at, subject, data)
SELECT 1, 'schedule.created', :now, :subject, :data
WHERE NOT EXISTS (SELECT 1 FROM schedules WHERE id = :id OR name = :name);
INSERT INTO schedules (id, name, cron, time_zone, template, lead_us, missed, missed_max, revision, paused, next_at, due_at, last_at, created_at, updated_at)
VALUES (:id, :name, :cron, :time_zone, :template, :lead_us, :missed, :missed_max, :revision, CAST(:paused AS boolean), :next_at, :due_at, :last_at, :now, :now)
ON CONFLICT DO NOTHING;
SELECT id FROM schedules WHERE name = :name
