-- Writes that a node is there, and says the store's own time.
INSERT INTO nodes (id, name, address, version, roles, started_at, seen_at, clock_ahead_us, clock_bound_us)
VALUES (:id, :name, :address, :version, :roles, :started_at, :now, :clock_ahead, :clock_bound)
{{if_there id}} seen_at = {{new seen_at}}, clock_ahead_us = {{new clock_ahead_us}}, clock_bound_us = {{new clock_bound_us}};
SELECT {{store_time}}
