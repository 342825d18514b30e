-- Goes on to the next time if the schedule is as it was, and writes down what was missed.
INSERT INTO facts (n, type, at, subject, data)
SELECT 1, 'schedule.missed', :now, :subject, :data
WHERE :missed::integer IS NOT NULL;
INSERT INTO fires (schedule_id, at, recorded_at, by_hand, missed_until, missed, reason)
SELECT :id, :at, :now, 0::boolean, :missed_until, :missed, :reason
WHERE :missed::integer IS NOT NULL
{{unless_taken fires schedule_id}};
UPDATE schedules SET next_at = :next_at, due_at = :due_at
WHERE id = :id AND revision = :revision AND next_at = :at
{{returning id schedules id :id}}
