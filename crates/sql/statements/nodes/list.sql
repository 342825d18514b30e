-- Nodes that are remembered, by name.
SELECT id, name, address, version, roles, started_at, clock_ahead_us, clock_bound_us, seen_at
FROM nodes
WHERE seen_at >= :since
ORDER BY name, id
