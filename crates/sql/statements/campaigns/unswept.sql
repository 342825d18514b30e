-- The next canceled campaign that may have deliveries left.
SELECT id FROM campaigns WHERE finished_at IS NULL AND state = 'canceled' AND {{picked id}} ORDER BY start_at, id LIMIT :limit
