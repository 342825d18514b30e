-- Begins the next campaign whose time has come and whose lane is free; the end of its audience is frozen
-- the first time. Two nodes that begin in one lane at once meet at its unique index.
SET @begun = NULL;
SELECT c.id INTO @begun FROM campaigns c
WHERE c.finished_at IS NULL AND c.state = 'scheduled' AND c.start_at <= :now
  AND NOT EXISTS (SELECT 1 FROM campaigns x WHERE x.expanding_lane = c.lane)
ORDER BY c.start_at, c.id
LIMIT 1
FOR UPDATE SKIP LOCKED;
UPDATE campaigns
SET state = 'expanding', holder = :node, held_until = :until, updated_at = :now, began_at = coalesce(began_at, :now),
  until = coalesce(until, (SELECT n.last FROM recipient_numbers n WHERE n.id = 1))
WHERE id = @begun;
INSERT INTO facts (n, type, at, subject) SELECT 1, 'campaign.expanding', :now, 'cmp_' || @begun WHERE @begun IS NOT NULL;
SELECT id FROM campaigns WHERE id = @begun
