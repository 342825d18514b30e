-- Oldest program: 1
-- Campaigns that one person alone may not send: who asked for them, whom they count as, and who has approved them.
CREATE TABLE approvals (
  campaign varchar(36) NOT NULL PRIMARY KEY,
  recipients bigint NOT NULL CHECK (recipients >= 0),
  asked_by varchar(255) NOT NULL,
  asked_name longtext NOT NULL,
  person varchar(255) NOT NULL,
  asked_at bigint NOT NULL,
  approved_by varchar(255),
  approved_name longtext,
  approved_at bigint,
  CHECK ((approved_at IS NULL) = (approved_by IS NULL) AND (approved_at IS NULL) = (approved_name IS NULL))
);
