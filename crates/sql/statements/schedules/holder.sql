-- The other schedule that has a name.
SELECT id FROM schedules WHERE name = :name AND id <> :id
