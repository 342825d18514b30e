-- Gives an expansion to a node, if its own node went silent; the chunk that begins at the cursor has then lost a node. Who holds it for
-- longer than two terms did so by a clock that was put back since. What it was held by is asked for before it is changed.
SET @taken = NULL;
SELECT id INTO @taken FROM campaigns
WHERE finished_at IS NULL AND state = 'expanding' AND (holder IS NULL OR held_until < :now OR held_until > :latest)
ORDER BY start_at, id
LIMIT 1
FOR UPDATE SKIP LOCKED;
UPDATE campaigns
SET losses = CASE WHEN lost_at = cursor THEN losses ELSE 0 END + CASE WHEN held_until < :now AND holder <> :node THEN 1 ELSE 0 END,
  lost_at = cursor, holder = :node, held_until = :until
WHERE id = @taken;
SELECT id FROM campaigns WHERE id = @taken
