-- Oldest program: 1
-- Campaigns that one person alone may not send: who asked for them, whom they count as, and who has approved them.
CREATE TABLE approvals (
  campaign text NOT NULL PRIMARY KEY,
  recipients integer NOT NULL CHECK (recipients >= 0),
  asked_by text NOT NULL,
  asked_name text NOT NULL,
  person text NOT NULL,
  asked_at integer NOT NULL,
  approved_by text,
  approved_name text,
  approved_at integer,
  CHECK ((approved_at IS NULL) = (approved_by IS NULL) AND (approved_at IS NULL) = (approved_name IS NULL))
);
