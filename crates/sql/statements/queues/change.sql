-- Changes a queue, and makes it if there is none; a change is a fact, a wish that is already so is none.
INSERT INTO queues (name, created_at) VALUES (:name, :now) ON CONFLICT (name) DO NOTHING;
INSERT INTO facts (n, type, queue, at, subject, data)
SELECT 1, :type, :name, :now, :name, :data FROM queues
WHERE name = :name AND (
  (CAST(:change_paused AS integer) = 1 AND paused <> CAST(:paused AS boolean))
  OR (CAST(:change_max AS integer) = 1 AND max_running IS DISTINCT FROM CAST(:max_running AS integer))
  OR (CAST(:change_rate AS integer) = 1 AND rate IS DISTINCT FROM CAST(:rate AS double precision)));
UPDATE queues
SET paused = CASE WHEN CAST(:change_paused AS integer) = 1 THEN CAST(:paused AS boolean) ELSE paused END,
  max_running = CASE WHEN CAST(:change_max AS integer) = 1 THEN CAST(:max_running AS integer) ELSE max_running END,
  rate = CASE WHEN CAST(:change_rate AS integer) = 1 THEN CAST(:rate AS double precision) ELSE rate END
WHERE name = :name
