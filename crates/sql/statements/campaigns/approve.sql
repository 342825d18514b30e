-- Writes down who has approved a campaign, once, and not for whoever must not have asked for it.
UPDATE approvals
SET approved_by = :by, approved_name = :name, approved_at = :at
WHERE campaign = :id AND approved_at IS NULL AND person <> :other_than
{{returning campaign approvals campaign :id}}
