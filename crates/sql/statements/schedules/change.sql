-- Writes a schedule down anew, if it is as it was one revision before, its name is free, and it names nobody who is being
-- erased.
{{hold_marks}}
INSERT INTO facts (n, type, at, subject, data)
SELECT 1, :type, :now, :subject, :data FROM schedules
WHERE id = :id AND revision = :revision - 1
  AND NOT {{names_the_erased}};
UPDATE schedules
SET name = :name, cron = :cron, time_zone = :time_zone, template = :template, lead_us = :lead_us, missed = :missed, missed_max = :missed_max,
  revision = :revision, paused = :paused::boolean, next_at = :next_at, due_at = :due_at, updated_at = :updated_at
WHERE id = :id AND revision = :revision - 1 AND NOT EXISTS (SELECT 1 FROM (SELECT x.id FROM schedules x WHERE x.name = :name AND x.id <> :id LIMIT 1) y)
  AND NOT {{names_the_erased}}
{{returning id schedules id :id}}
