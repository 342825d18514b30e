-- Changes a queue, and makes it if there is none.
INSERT INTO queues (name, created_at) VALUES (:name, :now) ON CONFLICT (name) DO NOTHING;
UPDATE queues
SET paused = CASE WHEN CAST(:change_paused AS integer) = 1 THEN CAST(:paused AS boolean) ELSE paused END,
  max_running = CASE WHEN CAST(:change_max AS integer) = 1 THEN CAST(:max_running AS integer) ELSE max_running END,
  rate = CASE WHEN CAST(:change_rate AS integer) = 1 THEN CAST(:rate AS double precision) ELSE rate END
WHERE name = :name;
INSERT INTO facts (n, type, queue, at, subject, data) VALUES (1, :type, :name, :now, :name, :data)
