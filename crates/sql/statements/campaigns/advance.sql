-- Moves the cursor, if the campaign still expands in this epoch, by this node, from where the chunk began, and nobody in the
-- chunk was erased or is being erased.
{{hold_marks}}
UPDATE campaigns
SET cursor = CASE WHEN :is_last::integer = 1 THEN until ELSE :cursor END, expanded = expanded + :members, items = items + :items, chunks = chunks + 1, updated_at = :now,
  state = CASE WHEN :is_last::integer = 1 THEN 'sending' ELSE state END,
  completed_at = CASE WHEN :is_last::integer = 1 THEN :now::bigint END,
  holder = CASE WHEN :is_last::integer = 1 THEN NULL ELSE holder END,
  held_until = CASE WHEN :is_last::integer = 1 THEN NULL ELSE :until::bigint END
WHERE id = :id AND state = 'expanding' AND epoch = :epoch AND holder = :node AND cursor = :after
  AND NOT EXISTS (SELECT 1 FROM erasures e WHERE e.number > :after AND e.number <= :cursor AND e.number {{in :numbers bigint}} {{for_key_share}})
{{returning id campaigns id :id}}
