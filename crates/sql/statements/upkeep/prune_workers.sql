-- Forgets workers that left or went silent, and minutes that nobody looks at.
DELETE FROM queue_minutes WHERE minute < :minute;
DELETE FROM workers WHERE seen_at < :cutoff RETURNING id
