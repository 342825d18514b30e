-- Writes what a worker says of itself; the first time is a fact.
INSERT INTO facts (n, type, at, subject, data)
SELECT 1, 'worker.joined', :now, :subject, :data
WHERE NOT EXISTS (SELECT 1 FROM workers WHERE id = :id);
INSERT INTO workers (id, name, version, lease_us, slots, running, draining, started_at, seen_at)
VALUES (:id, :name, :version, :lease, :slots, :running, CAST(:draining AS boolean), :started_at, :now)
ON CONFLICT (id) DO UPDATE
SET lease_us = excluded.lease_us, slots = excluded.slots, running = excluded.running, draining = excluded.draining, seen_at = excluded.seen_at
