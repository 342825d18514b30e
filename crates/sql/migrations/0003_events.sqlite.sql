-- The one row whose lock makes the numbers of events dense and safe to follow.
CREATE TABLE stream (
  id integer PRIMARY KEY CHECK (id = 1),
  installation text NOT NULL,
  epoch integer NOT NULL CHECK (epoch >= 1),
  last_seq integer NOT NULL CHECK (last_seq >= 0)
);
INSERT INTO stream (id, installation, epoch, last_seq) VALUES (1, lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-8' || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))), 1, 0);

-- The outbox: a row holds the facts of one kind that one transaction made. Append-only but for its
-- number; the oldest go by age.
CREATE TABLE facts (
  id integer PRIMARY KEY AUTOINCREMENT,
  last_seq integer,
  n integer NOT NULL CHECK (n >= 1),
  type text NOT NULL,
  queue text,
  from_state text,
  to_state text,
  at integer NOT NULL,
  subject text,
  subjects text,
  attempts text,
  data text,
  items text,
  CHECK ((subject IS NULL) <> (subjects IS NULL)),
  CHECK (subjects IS NULL OR json_array_length(subjects) = n)
);
CREATE INDEX facts_unnumbered ON facts (id) WHERE last_seq IS NULL;
CREATE UNIQUE INDEX facts_number ON facts (last_seq);
CREATE INDEX facts_at ON facts (at);

-- What the sequencer counts as it numbers: small, bounded by queues, and by minutes kept.
CREATE TABLE queue_counts (
  queue text NOT NULL,
  state text NOT NULL,
  n integer NOT NULL,
  PRIMARY KEY (queue, state)
) WITHOUT ROWID;
CREATE TABLE queue_minutes (
  queue text NOT NULL,
  minute integer NOT NULL,
  n integer NOT NULL,
  PRIMARY KEY (queue, minute)
) WITHOUT ROWID;
CREATE TABLE dead_letter_groups (
  fingerprint text NOT NULL PRIMARY KEY,
  kind text NOT NULL,
  reason text NOT NULL,
  class text NOT NULL,
  code text NOT NULL,
  message text NOT NULL,
  sample_job text NOT NULL,
  n integer NOT NULL,
  first_at integer NOT NULL,
  last_at integer NOT NULL
);
