-- What recipients were told. The number within an inbox is given with its counter: whoever comes later
-- has a higher one. The oldest go by age.
CREATE TABLE inbox (
  recipient integer NOT NULL,
  seq integer NOT NULL CHECK (seq >= 1),
  id text NOT NULL UNIQUE,
  campaign_id text,
  notification_id text,
  category text NOT NULL,
  title text NOT NULL,
  body text NOT NULL,
  data text,
  created_at integer NOT NULL,
  read_at integer,
  PRIMARY KEY (recipient, seq),
  CHECK (campaign_id IS NULL OR notification_id IS NULL)
) WITHOUT ROWID;
CREATE UNIQUE INDEX inbox_campaign ON inbox (campaign_id, recipient) WHERE campaign_id IS NOT NULL;
-- How much of it is unread: a row for each recipient that was ever told something, gone with the recipient.
CREATE TABLE inboxes (
  recipient integer PRIMARY KEY,
  unread integer NOT NULL CHECK (unread >= 0),
  version integer NOT NULL CHECK (version >= unread)
);
-- What became of notifications, for whoever asks again. They go by age.
CREATE TABLE notifications (
  id text NOT NULL PRIMARY KEY,
  key text UNIQUE,
  content_hash text NOT NULL,
  sent text NOT NULL,
  created_at integer NOT NULL
) WITHOUT ROWID;
