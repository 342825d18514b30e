-- Changes a queue, and makes it if there is none; a change is a fact, a wish that is already so is none.
INSERT INTO queues (name, created_at) VALUES (:name, :now) {{unless_there queues name name}};
INSERT INTO facts (n, type, queue, at, subject, data)
SELECT 1, :type, :name, :now, :name, :data FROM queues
WHERE name = :name AND (
  (:change_paused::integer = 1 AND paused <> :paused::boolean)
  OR (:change_max::integer = 1 AND {{differs max_running :max_running::integer}})
  OR (:change_rate::integer = 1 AND {{differs rate :rate::float8}}))
{{returning_gone n 1}};
UPDATE queues
SET paused = CASE WHEN :change_paused::integer = 1 THEN :paused::boolean ELSE paused END,
  max_running = CASE WHEN :change_max::integer = 1 THEN :max_running::integer ELSE max_running END,
  rate = CASE WHEN :change_rate::integer = 1 THEN :rate::float8 ELSE rate END
WHERE name = :name
