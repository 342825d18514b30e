-- Moves a campaign by a command that no other one has overtaken. Nothing starts one that nobody has approved yet.
UPDATE campaigns
SET state = :to, epoch = epoch + 1, why = :why, holder = NULL, held_until = NULL, losses = 0, updated_at = :now
WHERE id = :id AND state = :from AND epoch = :epoch
  AND (:starts::integer = 0 OR NOT EXISTS (SELECT 1 FROM approvals a WHERE a.campaign = campaigns.id AND a.approved_at IS NULL))
{{returning id campaigns id :id}}
