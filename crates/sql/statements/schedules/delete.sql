-- Forgets a schedule; its history goes by age.
INSERT INTO facts (n, type, at, subject, data)
SELECT 1, 'schedule.deleted', :now, :subject, :data FROM schedules WHERE id = :id;
DELETE FROM schedules WHERE id = :id {{returning_gone id :id}}
