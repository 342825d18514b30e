-- Gives an expansion to a node, if its own node went silent.
UPDATE campaigns
SET holder = :node, held_until = :until
WHERE id = (
  SELECT id FROM campaigns
  WHERE finished_at IS NULL AND state = 'expanding' AND (holder IS NULL OR held_until < :now)
  ORDER BY start_at, id
  LIMIT 1)
RETURNING id
