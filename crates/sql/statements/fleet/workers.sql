-- Workers that are remembered, by name.
SELECT id, name, version, lease_us, slots, running, CASE WHEN draining THEN 1 ELSE 0 END, started_at, seen_at, left_at, remote, CASE WHEN drain THEN 1 ELSE 0 END
FROM workers
WHERE seen_at >= :since
ORDER BY name, id
