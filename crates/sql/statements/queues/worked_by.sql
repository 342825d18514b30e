-- Who works some queues off.
SELECT name, worked_by FROM queues {{by_key}} WHERE name {{in :names text}} ORDER BY name
