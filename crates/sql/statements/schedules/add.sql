-- Adds a schedule, unless it or its name is there, or it names somebody who is being erased; whoever has the name is told.
{{hold_marks}}
INSERT INTO facts (n, type, at, subject, data)
SELECT 1, 'schedule.created', :now, :subject, :data
WHERE NOT EXISTS (SELECT 1 FROM schedules WHERE id = :id OR name = :name)
  AND NOT {{names_the_erased}};
INSERT INTO schedules (id, name, cron, time_zone, template, lead_us, missed, missed_max, revision, paused, next_at, due_at, last_at, created_at, updated_at)
SELECT :id::uuid, :name, :cron, :time_zone, :template, :lead_us::bigint, :missed, :missed_max::integer, :revision::bigint, :paused::boolean, :next_at::bigint, :due_at::bigint, :last_at::bigint, :now::bigint, :now::bigint
WHERE NOT {{names_the_erased}}
{{unless_taken schedules id}};
SELECT id, CASE WHEN created_at = :now THEN 1 ELSE 0 END FROM schedules WHERE name = :name
