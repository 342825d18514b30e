-- Oldest program: 1

-- What was asked is written once and never changed; it goes when the job is pruned.
CREATE TABLE jobs (
  id text NOT NULL PRIMARY KEY,
  key text,
  kind text NOT NULL,
  queue text NOT NULL,
  priority integer NOT NULL CHECK (priority BETWEEN -100 AND 100),
  payload text NOT NULL,
  run_at integer NOT NULL,
  max_attempts integer NOT NULL CHECK (max_attempts >= 1),
  backoff text NOT NULL,
  timeout_us integer NOT NULL CHECK (timeout_us > 0),
  expires_at integer,
  delivery text NOT NULL CHECK (delivery IN ('at_least_once', 'at_most_once')),
  tags text NOT NULL,
  created_at integer NOT NULL
);

-- Keys live apart and for a window, so that random keys do not slow enqueue as history grows. What a job ended as, and when, stands
-- here once the job is forgotten and only its key is left.
CREATE TABLE job_keys (
  key text PRIMARY KEY,
  job_id text NOT NULL,
  content_hash text NOT NULL,
  created_at integer NOT NULL,
  ended_as text CHECK (ended_as IN ('succeeded', 'failed', 'canceled', 'skipped', 'uncertain')),
  ended_at integer CHECK ((ended_as IS NULL) = (ended_at IS NULL))
) WITHOUT ROWID;
CREATE INDEX job_keys_created_at ON job_keys (created_at);

CREATE TABLE queues (
  name text PRIMARY KEY,
  paused integer NOT NULL DEFAULT 0 CHECK (paused IN (0, 1)),
  max_running integer CHECK (max_running >= 1),
  rate real CHECK (rate > 0),
  tokens real NOT NULL DEFAULT 0,
  tokens_at integer NOT NULL DEFAULT 0,
  created_at integer NOT NULL
) WITHOUT ROWID;

-- A place: its time has not come. Small, and its space comes back by vacuum.
CREATE TABLE waiting (
  job_id text PRIMARY KEY,
  state text NOT NULL CHECK (state IN ('pending', 'retry_wait')),
  queue text NOT NULL,
  priority integer NOT NULL,
  run_at integer NOT NULL,
  expires_at integer,
  since integer NOT NULL,
  attempt integer NOT NULL CHECK (attempt >= 0),
  tries integer NOT NULL CHECK (tries >= 0),
  losses integer NOT NULL CHECK (losses >= 0),
  run integer NOT NULL CHECK (run >= 1),
  CHECK (state = 'pending' OR attempt >= 1)
) WITHOUT ROWID;
CREATE INDEX waiting_due ON waiting (run_at, job_id);
CREATE INDEX waiting_expiry ON waiting (expires_at) WHERE expires_at IS NOT NULL;

-- A place: any worker may claim it. Rows are inserted and deleted, never updated.
CREATE TABLE ready (
  queue text NOT NULL,
  priority integer NOT NULL,
  run_at integer NOT NULL,
  job_id text NOT NULL,
  expires_at integer,
  since integer NOT NULL,
  attempt integer NOT NULL CHECK (attempt >= 0),
  tries integer NOT NULL CHECK (tries >= 0),
  losses integer NOT NULL CHECK (losses >= 0),
  run integer NOT NULL CHECK (run >= 1),
  PRIMARY KEY (queue, priority, run_at, job_id)
) WITHOUT ROWID;
CREATE INDEX ready_expiry ON ready (expires_at) WHERE expires_at IS NOT NULL;
CREATE UNIQUE INDEX ready_job ON ready (job_id);

-- A place: deliveries that were made together and that nobody has claimed or changed since, in one row: the jobs from `first` to
-- `last` that are due at this time. A claim takes from the front, and `first` moves on. Between them lie jobs with other times, and
-- those that were skipped, which have ended. Those of one batch have ids between those of any two others.
CREATE TABLE ready_batches (
  queue text NOT NULL,
  priority integer NOT NULL,
  run_at integer NOT NULL,
  first text NOT NULL,
  last text NOT NULL,
  n integer NOT NULL,
  expires_at integer,
  since integer NOT NULL,
  PRIMARY KEY (queue, run_at, first),
  CHECK (n >= 1 AND first <= last),
  CHECK ((n = 1) = (first = last))
) WITHOUT ROWID;
CREATE INDEX ready_batches_expiry ON ready_batches (expires_at) WHERE expires_at IS NOT NULL;
CREATE UNIQUE INDEX ready_batches_first ON ready_batches (first);

-- A place: leased. One row covers a claimed batch; each job of it is a row in `leased`, found by its job, or read whole: leases are
-- few, and so is what they hold.
CREATE TABLE leases (
  id text PRIMARY KEY,
  worker_id text NOT NULL,
  queue text NOT NULL,
  until integer NOT NULL,
  claimed_at integer NOT NULL,
  open integer NOT NULL CHECK (open >= 0)
) WITHOUT ROWID;
CREATE INDEX leases_worker ON leases (worker_id);
CREATE TABLE leased (
  job_id text PRIMARY KEY,
  lease_id text NOT NULL,
  attempt integer NOT NULL,
  tries integer NOT NULL,
  losses integer NOT NULL,
  run integer NOT NULL,
  since integer NOT NULL
) WITHOUT ROWID;

-- How attempts ended: insert-only, so that a second result cannot exist.
CREATE TABLE attempts (
  job_id text NOT NULL,
  attempt integer NOT NULL CHECK (attempt >= 1),
  run integer NOT NULL,
  lease_id text NOT NULL,
  worker_id text NOT NULL,
  queued_at integer NOT NULL,
  claimed_at integer NOT NULL,
  started_at integer,
  ended_at integer NOT NULL,
  cancel_asked_at integer,
  outcome text NOT NULL CHECK (outcome IN ('succeeded', 'skipped', 'failed', 'lost', 'given_back', 'snoozed', 'throttled', 'canceled', 'uncertain')),
  state text NOT NULL CHECK (state IN ('pending', 'queued', 'retry_wait', 'succeeded', 'failed', 'canceled', 'skipped', 'uncertain')),
  reason text,
  next_run_at integer,
  tries integer NOT NULL,
  losses integer NOT NULL,
  class text,
  code text,
  message text,
  fingerprint text,
  result text,
  PRIMARY KEY (job_id, attempt),
  CHECK (outcome <> 'succeeded' OR state = 'succeeded'),
  CHECK ((next_run_at IS NOT NULL) = (state IN ('pending', 'queued', 'retry_wait')))
) WITHOUT ROWID;

-- Most attempts are the first of their job and succeed. Each is one narrow row in `successes`, and what a batch of them has in
-- common is one row here; every other end has a row of its own in `attempts`.
CREATE TABLE settlements (
  id integer PRIMARY KEY AUTOINCREMENT,
  worker_id text NOT NULL,
  leases text NOT NULL,
  claimed_at text NOT NULL,
  ended_at integer NOT NULL,
  CHECK (json_array_length(leases) = json_array_length(claimed_at))
);
CREATE INDEX settlements_ended_at ON settlements (ended_at);

-- A place: the end, by a first attempt that succeeded. Insert-only, so that a second result cannot exist.
CREATE TABLE successes (
  job_id text PRIMARY KEY,
  settlement_id integer NOT NULL,
  lease integer NOT NULL CHECK (lease >= 1),
  queued_at integer NOT NULL,
  started_at integer,
  result text
) WITHOUT ROWID;

-- Results that came after their lease was lost: insert-only.
CREATE TABLE late_results (
  job_id text NOT NULL,
  attempt integer NOT NULL,
  outcome text NOT NULL,
  at integer NOT NULL,
  adopted integer NOT NULL CHECK (adopted IN (0, 1)),
  result text,
  PRIMARY KEY (job_id, attempt)
) WITHOUT ROWID;

-- A place: the end. The row goes when a person runs the job again, or with the job.
CREATE TABLE finished (
  job_id text PRIMARY KEY,
  state text NOT NULL CHECK (state IN ('succeeded', 'failed', 'canceled', 'skipped', 'uncertain')),
  reason text,
  finished_at integer NOT NULL,
  queued_at integer,
  attempt integer NOT NULL,
  tries integer NOT NULL,
  losses integer NOT NULL,
  run integer NOT NULL,
  fingerprint text,
  discarded_at integer,
  CHECK (state <> 'failed' OR (reason IS NOT NULL AND fingerprint IS NOT NULL))
) WITHOUT ROWID;
CREATE INDEX finished_letters ON finished (fingerprint, job_id) WHERE state = 'failed' AND discarded_at IS NULL;
CREATE INDEX finished_others ON finished (state, job_id) WHERE state <> 'succeeded';

-- Ends that a person took back: insert-only, so that no instant of a job's history is forgotten.
CREATE TABLE redrives (
  job_id text NOT NULL,
  run integer NOT NULL,
  at integer NOT NULL,
  finished_at integer NOT NULL,
  queued_at integer,
  discarded_at integer,
  PRIMARY KEY (job_id, run)
) WITHOUT ROWID;

-- Running jobs that were asked to stop.
CREATE TABLE cancellations (
  job_id text PRIMARY KEY,
  asked_at integer NOT NULL,
  reason text
) WITHOUT ROWID;

-- The one row whose lock makes the numbers of events dense and safe to follow.
CREATE TABLE stream (
  id integer PRIMARY KEY CHECK (id = 1),
  installation text NOT NULL,
  epoch integer NOT NULL CHECK (epoch >= 1),
  last_seq integer NOT NULL CHECK (last_seq >= 0)
);
INSERT INTO stream (id, installation, epoch, last_seq) VALUES (1, lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-8' || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))), 1, 0);

-- The outbox: a row holds the facts of one kind that one transaction made. Append-only but for its number; the oldest go by age.
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
-- A fact that nobody has numbered yet stands in one index only, where the empty number is found as well as any other; the index on
-- time takes it with its number.
CREATE INDEX facts_at ON facts (at) WHERE last_seq IS NOT NULL;
CREATE UNIQUE INDEX facts_number ON facts (last_seq);

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

-- `lease_us` says how long the leases of a worker last without a renewal: whoever watches them waits for as long before it takes
-- one back, and goes by the end of the lease where a worker does not say.
CREATE TABLE workers (
  id text NOT NULL PRIMARY KEY,
  name text NOT NULL,
  version text NOT NULL,
  slots text NOT NULL,
  running integer NOT NULL,
  draining integer NOT NULL CHECK (draining IN (0, 1)),
  started_at integer NOT NULL,
  seen_at integer NOT NULL,
  left_at integer,
  lease_us integer
);

CREATE TABLE leadership (
  id integer PRIMARY KEY CHECK (id = 1),
  node text,
  until integer NOT NULL
);
INSERT INTO leadership (id, node, until) VALUES (1, NULL, 0);

CREATE TABLE operations (
  id text NOT NULL PRIMARY KEY,
  action text NOT NULL CHECK (action IN ('retry', 'discard')),
  filter text NOT NULL,
  total integer NOT NULL,
  done integer NOT NULL DEFAULT 0,
  cursor text NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
  created_at integer NOT NULL,
  finished_at integer
);
CREATE INDEX operations_unfinished ON operations (id) WHERE finished_at IS NULL;

-- Which generation of hints there should be, and for which incarnation of the far end it was built.
CREATE TABLE hint_generation (
  id integer PRIMARY KEY CHECK (id = 1),
  number integer NOT NULL CHECK (number >= 0),
  incarnation text NOT NULL
);
INSERT INTO hint_generation (id, number, incarnation) VALUES (1, 0, '');

-- Who is reached. The number is given once, in the order of commits: audiences are walked by it.
CREATE TABLE recipients (
  number integer PRIMARY KEY,
  id text NOT NULL UNIQUE,
  platform text NOT NULL,
  lat real,
  lon real,
  topics text NOT NULL,
  enabled integer NOT NULL CHECK (enabled IN (0, 1)),
  addresses text NOT NULL,
  time_zone text,
  dead text NOT NULL,
  marks text NOT NULL,
  created_at integer NOT NULL,
  updated_at integer NOT NULL,
  CHECK ((lat IS NULL) = (lon IS NULL))
);
CREATE INDEX recipients_disabled ON recipients (number) WHERE NOT enabled;
-- What an audience can ask for, and whose it is: a platform, a topic, or a cell of the globe.
CREATE TABLE recipient_marks (
  mark text NOT NULL,
  number integer NOT NULL,
  PRIMARY KEY (mark, number)
) WITHOUT ROWID;
-- The highest number given so far.
CREATE TABLE recipient_numbers (
  id integer PRIMARY KEY CHECK (id = 1),
  last integer NOT NULL CHECK (last >= 0)
);
INSERT INTO recipient_numbers (id, last) VALUES (1, 0);

-- A campaign is one row, changed by each chunk: its cursor commits with the rows that the chunk made.
-- Its line is the queue that is called by its id: rate, pause and counters are kept there, once.
CREATE TABLE campaigns (
  id text NOT NULL PRIMARY KEY,
  key text UNIQUE,
  content_hash text NOT NULL,
  plan text NOT NULL,
  lane text NOT NULL,
  state text NOT NULL CHECK (state IN ('scheduled', 'expanding', 'sending', 'done', 'stopped', 'canceled')),
  why text,
  epoch integer NOT NULL DEFAULT 0 CHECK (epoch >= 0),
  start_at integer NOT NULL,
  cursor integer NOT NULL DEFAULT 0 CHECK (cursor >= 0),
  until integer CHECK (until >= cursor),
  expected integer,
  expanded integer NOT NULL DEFAULT 0 CHECK (expanded >= 0),
  items integer NOT NULL DEFAULT 0,
  chunks integer NOT NULL DEFAULT 0,
  holder text,
  held_until integer,
  created_at integer NOT NULL,
  updated_at integer NOT NULL,
  began_at integer,
  completed_at integer,
  finished_at integer,
  CHECK ((holder IS NULL) = (held_until IS NULL)),
  CHECK (state <> 'expanding' OR (until IS NOT NULL AND completed_at IS NULL)),
  CHECK (state NOT IN ('sending', 'done') OR (completed_at IS NOT NULL AND cursor = until)),
  CHECK (state <> 'done' OR finished_at IS NOT NULL)
);
CREATE INDEX campaigns_active ON campaigns (start_at, id) WHERE finished_at IS NULL;
-- One campaign of a lane expands at a time, whoever thinks otherwise.
CREATE UNIQUE INDEX campaigns_lane ON campaigns (lane) WHERE state = 'expanding';

-- What is made again and again. It stands at its next nominal time, and is looked at when it is due; it
-- does neither while it is paused.
CREATE TABLE schedules (
  id text NOT NULL PRIMARY KEY,
  name text NOT NULL UNIQUE,
  cron text NOT NULL,
  time_zone text NOT NULL,
  template text NOT NULL,
  lead_us integer NOT NULL CHECK (lead_us >= 0),
  missed text NOT NULL CHECK (missed IN ('skip', 'latest', 'all')),
  missed_max integer NOT NULL CHECK (missed_max >= 0),
  revision integer NOT NULL CHECK (revision >= 1),
  paused integer NOT NULL CHECK (paused IN (0, 1)),
  next_at integer,
  due_at integer,
  last_at integer,
  created_at integer NOT NULL,
  updated_at integer NOT NULL,
  CHECK ((next_at IS NULL) = (due_at IS NULL)),
  CHECK (next_at IS NULL OR NOT paused)
);
CREATE INDEX schedules_due ON schedules (due_at) WHERE due_at IS NOT NULL;

-- What became of nominal times, one row for each, so that none is fired twice; what was missed in a row
-- is one. Append-only; the oldest go by age.
CREATE TABLE fires (
  schedule_id text NOT NULL,
  at integer NOT NULL,
  recorded_at integer NOT NULL,
  made text,
  by_hand integer NOT NULL CHECK (by_hand IN (0, 1)),
  missed_until integer,
  missed integer CHECK (missed >= 1),
  reason text,
  PRIMARY KEY (schedule_id, at),
  CHECK ((made IS NULL) = (missed IS NOT NULL)),
  CHECK ((missed IS NULL) = (missed_until IS NULL) AND (missed IS NULL) = (reason IS NULL)),
  CHECK (missed_until >= at)
);
CREATE INDEX fires_recorded_at ON fires (recorded_at);

-- What recipients were told. The number within an inbox is given with its counter: whoever comes later has a higher
-- one. The oldest go by age.
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

-- People who are erased, a row for each operation. As long as it is under way, the row is the mark of the person: what was begun
-- before it is written no more. What they are found by goes with its end; their number stays, which nobody else is given, for what
-- a node has in hand may come at any time.
CREATE TABLE erasures (
  id text NOT NULL PRIMARY KEY,
  number integer UNIQUE,
  recipient text UNIQUE,
  quoted text,
  quoted_within text,
  addresses text,
  stage text,
  cursor text NOT NULL DEFAULT '',
  done integer NOT NULL DEFAULT 0 CHECK (done >= 0),
  created_at integer NOT NULL,
  finished_at integer,
  CHECK (stage IN ('schedules', 'deliveries', 'campaigns', 'notifications', 'facts', 'events', 'dead_letters')),
  CHECK ((finished_at IS NULL) = (stage IS NOT NULL)),
  CHECK ((finished_at IS NULL) = (recipient IS NOT NULL AND quoted IS NOT NULL AND quoted_within IS NOT NULL AND addresses IS NOT NULL))
);
CREATE INDEX erasures_unfinished ON erasures (id) WHERE finished_at IS NULL;
