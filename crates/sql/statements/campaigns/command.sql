-- Moves a campaign by a command that no other one has overtaken.
UPDATE campaigns
SET state = :to, epoch = epoch + 1, why = :why, holder = NULL, held_until = NULL, losses = 0, updated_at = :now
WHERE id = :id AND state = :from AND epoch = :epoch
{{returning id campaigns id :id}}
