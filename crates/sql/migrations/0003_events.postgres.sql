-- The one row whose lock makes the numbers of events dense and safe to follow.
CREATE TABLE stream (
  id smallint PRIMARY KEY CHECK (id = 1),
  installation uuid NOT NULL,
  epoch bigint NOT NULL CHECK (epoch >= 1),
  last_seq bigint NOT NULL CHECK (last_seq >= 0)
);
INSERT INTO stream (id, installation, epoch, last_seq) VALUES (1, gen_random_uuid(), 1, 0);

-- The outbox: a row holds the facts of one kind that one transaction made. Append-only but for its
-- number; the oldest go by age.
CREATE TABLE facts (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  last_seq bigint,
  n integer NOT NULL CHECK (n >= 1),
  type text NOT NULL,
  queue text COLLATE "C",
  from_state text,
  to_state text,
  at bigint NOT NULL,
  subject text,
  subjects uuid[],
  attempts integer[],
  data text,
  items text,
  CHECK ((subject IS NULL) <> (subjects IS NULL)),
  CHECK (subjects IS NULL OR cardinality(subjects) = n)
);
CREATE INDEX facts_unnumbered ON facts (id) WHERE last_seq IS NULL;
CREATE UNIQUE INDEX facts_number ON facts (last_seq);
CREATE INDEX facts_at ON facts (at);

-- What the sequencer counts as it numbers: small, bounded by queues, and by minutes kept.
CREATE TABLE queue_counts (
  queue text COLLATE "C" NOT NULL,
  state text NOT NULL,
  n bigint NOT NULL,
  PRIMARY KEY (queue, state)
);
CREATE TABLE queue_minutes (
  queue text COLLATE "C" NOT NULL,
  minute bigint NOT NULL,
  n bigint NOT NULL,
  PRIMARY KEY (queue, minute)
);
CREATE TABLE dead_letter_groups (
  fingerprint text PRIMARY KEY,
  kind text NOT NULL,
  reason text NOT NULL,
  class text NOT NULL,
  code text NOT NULL,
  message text NOT NULL,
  sample_job uuid NOT NULL,
  n bigint NOT NULL,
  first_at bigint NOT NULL,
  last_at bigint NOT NULL
);
