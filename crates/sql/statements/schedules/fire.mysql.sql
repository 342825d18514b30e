-- Fires for a nominal time, if nothing was made for it and the schedule is as it was; out of turn, it may
-- stand anywhere. Whether it is so is found first, with a lock, for a row that stays the same counts as none. What is made may look for
-- marks: whoever does has that lock before all others.
{{hold_marks}}
SET @found = (SELECT id FROM schedules WHERE id = :id AND revision = :revision AND (:by_hand OR next_at = :at) FOR UPDATE);
INSERT INTO facts (n, type, at, subject, data)
SELECT 1, 'schedule.fired', :now, :subject, :data
WHERE NOT EXISTS (SELECT 1 FROM fires WHERE schedule_id = :id AND at = :at);
INSERT INTO fires (schedule_id, at, recorded_at, made, by_hand)
VALUES (:id, :at, :now, :made, :by_hand)
ON DUPLICATE KEY UPDATE schedule_id = schedule_id;
UPDATE schedules
SET last_at = CASE WHEN last_at > :at THEN last_at ELSE :at END,
  next_at = CASE WHEN :by_hand THEN next_at ELSE :next_at END,
  due_at = CASE WHEN :by_hand THEN due_at ELSE :due_at END
WHERE id = @found;
SELECT (SELECT count(*) FROM fires f WHERE f.schedule_id = :id AND f.at = :at AND f.made = :made),
  (SELECT count(*) FROM fires f WHERE f.schedule_id = :id AND f.at = :at AND f.recorded_at = :now)
WHERE @found IS NOT NULL
