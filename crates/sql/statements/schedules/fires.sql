-- The history of a schedule before a nominal time, the latest first. The first cell is what a row is called by.
SELECT {{as_text schedule_id}} || ' ' || {{as_text at}}, at, recorded_at, made, CASE WHEN by_hand THEN 1 ELSE 0 END, missed_until, missed, reason
FROM fires WHERE schedule_id = :id AND at < :before ORDER BY at DESC LIMIT :limit
