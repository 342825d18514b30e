-- Writes what a worker says of itself; the first time is a fact. It hears what is wanted of it.
INSERT INTO facts (n, type, at, subject, data)
SELECT 1, 'worker.joined', :now, :subject, :data
WHERE NOT EXISTS (SELECT 1 FROM workers WHERE id = :id);
INSERT INTO workers (id, name, version, lease_us, slots, running, draining, started_at, seen_at, remote)
VALUES (:id, :name, :version, :lease, :slots, :running, :draining::boolean, :started_at, :now, :remote)
{{if_there id}} lease_us = {{new lease_us}}, slots = {{new slots}}, running = {{new running}}, draining = {{new draining}}, seen_at = {{new seen_at}},
  remote = {{new remote}};
SELECT CASE WHEN drain THEN 1 ELSE 0 END, CASE WHEN left_at IS NULL THEN 0 ELSE 1 END FROM workers WHERE id = :id
