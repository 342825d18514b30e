-- Fires for a nominal time, if nothing was made for it and the schedule is as it was; out of turn, it may
-- stand anywhere. What is told comes to nothing unless the last statement finds that it is so.
INSERT INTO facts (n, type, at, subject, data)
SELECT 1, 'schedule.fired', :now, :subject, :data
WHERE NOT EXISTS (SELECT 1 FROM fires WHERE schedule_id = :id AND at = :at);
INSERT INTO fires (schedule_id, at, recorded_at, made, by_hand)
VALUES (:id, :at, :now, :made, CAST(:by_hand AS boolean))
ON CONFLICT (schedule_id, at) DO NOTHING;
UPDATE schedules
SET last_at = CASE WHEN last_at > :at THEN last_at ELSE :at END,
  next_at = CASE WHEN CAST(:by_hand AS boolean) THEN next_at ELSE :next_at END,
  due_at = CASE WHEN CAST(:by_hand AS boolean) THEN due_at ELSE :due_at END
WHERE id = :id AND revision = :revision AND (CAST(:by_hand AS boolean) OR next_at = :at)
RETURNING (SELECT count(*) FROM fires f WHERE f.schedule_id = :id AND f.at = :at AND f.made = :made),
  (SELECT count(*) FROM fires f WHERE f.schedule_id = :id AND f.at = :at AND f.recorded_at = :now)
