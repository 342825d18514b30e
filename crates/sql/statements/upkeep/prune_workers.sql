-- Forgets workers that left or went silent, and minutes that nobody looks at. The last one of a queue says when it was used last.
DELETE FROM queue_minutes
WHERE minute < :minute AND EXISTS (SELECT 1 FROM queue_minutes y WHERE y.queue = queue_minutes.queue AND y.minute > queue_minutes.minute);
DELETE FROM workers WHERE seen_at < :cutoff RETURNING id
