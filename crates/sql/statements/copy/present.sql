-- Nodes that have neither left nor been silent for the length of their leases, and whoever leads, unless it has left: nobody resigns who leaves.
SELECT name FROM workers WHERE left_at IS NULL AND seen_at + coalesce(lease_us, 30000000) > :now
UNION ALL
SELECT '' FROM leadership
WHERE id = 1 AND until > :now AND node IS NOT NULL AND NOT EXISTS (SELECT 1 FROM workers w WHERE w.id = leadership.node AND w.left_at IS NOT NULL)
