-- Oldest program: 1
-- Campaigns that one person alone may not send: who asked for them, whom they count as, and who has approved them.
CREATE TABLE approvals (
  campaign uuid PRIMARY KEY,
  recipients bigint NOT NULL CHECK (recipients >= 0),
  asked_by text COLLATE "C" NOT NULL,
  asked_name text NOT NULL,
  person text COLLATE "C" NOT NULL,
  asked_at bigint NOT NULL,
  approved_by text COLLATE "C",
  approved_name text,
  approved_at bigint,
  CHECK ((approved_at IS NULL) = (approved_by IS NULL) AND (approved_at IS NULL) = (approved_name IS NULL))
);
