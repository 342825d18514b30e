-- Takes back that a node was lost over the chunk at the cursor: it lives, and others hold its campaign by now.
UPDATE campaigns SET losses = losses - 1
WHERE id = :id AND epoch = :epoch AND state = 'expanding' AND holder <> :node AND lost_at = cursor AND losses > 0
