-- Writes down who has asked for a campaign that somebody else has to approve.
INSERT INTO approvals (campaign, recipients, asked_by, asked_name, person, asked_at)
VALUES (:id, :recipients, :by, :name, :person, :at)
{{unless_there approvals campaign campaign}}
