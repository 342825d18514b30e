-- What recipients were told. The number within an inbox is given under the lock of its counter: whoever
-- comes later has a higher one, and commits later. The oldest go by age.
CREATE TABLE inbox (
  recipient bigint NOT NULL,
  seq bigint NOT NULL CHECK (seq >= 1),
  id uuid NOT NULL UNIQUE,
  campaign_id uuid,
  notification_id uuid,
  category text NOT NULL,
  title text NOT NULL,
  body text NOT NULL,
  data text,
  created_at bigint NOT NULL,
  read_at bigint,
  PRIMARY KEY (recipient, seq),
  CHECK (campaign_id IS NULL OR notification_id IS NULL)
);
CREATE UNIQUE INDEX inbox_campaign ON inbox (campaign_id, recipient) WHERE campaign_id IS NOT NULL;
-- How much of it is unread: a row for each recipient that was ever told something, gone with the recipient.
CREATE TABLE inboxes (
  recipient bigint PRIMARY KEY,
  unread bigint NOT NULL CHECK (unread >= 0),
  version bigint NOT NULL CHECK (version >= unread)
) WITH (fillfactor = 70);
-- What became of notifications, for whoever asks again. They go by age.
CREATE TABLE notifications (
  id uuid PRIMARY KEY,
  key text COLLATE "C" UNIQUE,
  content_hash text NOT NULL,
  sent text NOT NULL,
  created_at bigint NOT NULL
);
