-- Oldest program: 1

-- What was asked is written once and never changed; it goes when the job is pruned.
CREATE TABLE jobs (
  id varchar(36) NOT NULL PRIMARY KEY,
  "key" varchar(512),
  kind varchar(255) NOT NULL,
  queue varchar(255) NOT NULL,
  priority smallint NOT NULL CHECK (priority BETWEEN -100 AND 100),
  payload longtext NOT NULL,
  run_at bigint NOT NULL,
  max_attempts int NOT NULL CHECK (max_attempts >= 1),
  backoff longtext NOT NULL,
  timeout_us bigint NOT NULL CHECK (timeout_us > 0),
  expires_at bigint,
  delivery varchar(16) NOT NULL CHECK (delivery IN ('at_least_once', 'at_most_once')),
  tags longtext NOT NULL,
  created_at bigint NOT NULL
);

-- Keys live apart and for a window, so that random keys do not slow enqueue as history grows. What a job ended as, and when, stands
-- here once the job is forgotten and only its key is left.
CREATE TABLE job_keys (
  "key" varchar(512) PRIMARY KEY,
  job_id varchar(36) NOT NULL,
  content_hash varchar(128) NOT NULL,
  created_at bigint NOT NULL,
  ended_as varchar(16) CHECK (ended_as IN ('succeeded', 'failed', 'canceled', 'skipped', 'uncertain')),
  ended_at bigint,
  CHECK ((ended_as IS NULL) = (ended_at IS NULL))
);
CREATE INDEX job_keys_created_at ON job_keys (created_at);

CREATE TABLE queues (
  name varchar(255) PRIMARY KEY,
  paused boolean NOT NULL DEFAULT 0 CHECK (paused IN (0, 1)),
  max_running int CHECK (max_running >= 1),
  rate double CHECK (rate > 0),
  tokens double NOT NULL DEFAULT 0,
  tokens_at bigint NOT NULL DEFAULT 0,
  created_at bigint NOT NULL
);

-- A place: its time has not come. Small, and its space comes back by vacuum.
CREATE TABLE waiting (
  job_id varchar(36) PRIMARY KEY,
  state varchar(16) NOT NULL CHECK (state IN ('pending', 'retry_wait')),
  queue varchar(255) NOT NULL,
  priority smallint NOT NULL,
  run_at bigint NOT NULL,
  expires_at bigint,
  since bigint NOT NULL,
  attempt int NOT NULL CHECK (attempt >= 0),
  tries int NOT NULL CHECK (tries >= 0),
  losses int NOT NULL CHECK (losses >= 0),
  run int NOT NULL CHECK (run >= 1),
  CHECK (state = 'pending' OR attempt >= 1)
);
CREATE INDEX waiting_due ON waiting (run_at, job_id);
CREATE INDEX waiting_expiry ON waiting (expires_at);

-- A place: any worker may claim it. Rows are inserted and deleted, never updated.
CREATE TABLE ready (
  queue varchar(255) NOT NULL,
  priority smallint NOT NULL,
  run_at bigint NOT NULL,
  job_id varchar(36) NOT NULL,
  expires_at bigint,
  since bigint NOT NULL,
  attempt int NOT NULL CHECK (attempt >= 0),
  tries int NOT NULL CHECK (tries >= 0),
  losses int NOT NULL CHECK (losses >= 0),
  run int NOT NULL CHECK (run >= 1),
  PRIMARY KEY (queue, priority, run_at, job_id)
);
CREATE INDEX ready_expiry ON ready (expires_at);
CREATE UNIQUE INDEX ready_job ON ready (job_id);

-- A place: deliveries that were made together and that nobody has claimed or changed since, in one row: the jobs from `first` to
-- `last` that are due at this time. A claim takes from the front, and `first` moves on. Between them lie jobs with other times, and
-- those that were skipped, which have ended. Those of one batch have ids between those of any two others.
CREATE TABLE ready_batches (
  queue varchar(255) NOT NULL,
  priority smallint NOT NULL,
  run_at bigint NOT NULL,
  first varchar(36) NOT NULL,
  last varchar(36) NOT NULL,
  n int NOT NULL,
  expires_at bigint,
  since bigint NOT NULL,
  PRIMARY KEY (queue, run_at, first),
  CHECK (n >= 1 AND first <= last),
  CHECK ((n = 1) = (first = last))
);
CREATE INDEX ready_batches_expiry ON ready_batches (expires_at);
CREATE UNIQUE INDEX ready_batches_first ON ready_batches (first);

-- A place: leased. One row covers a claimed batch; each job of it is a row in `leased`, found by its job or by its
-- lease: to read it whole would be to walk over what left it and is not purged yet.
CREATE TABLE leases (
  id varchar(36) PRIMARY KEY,
  worker_id varchar(36) NOT NULL,
  queue varchar(255) NOT NULL,
  until bigint NOT NULL,
  claimed_at bigint NOT NULL,
  open int NOT NULL CHECK (open >= 0)
);
CREATE INDEX leases_worker ON leases (worker_id);
CREATE TABLE leased (
  job_id varchar(36) PRIMARY KEY,
  lease_id varchar(36) NOT NULL,
  attempt int NOT NULL,
  tries int NOT NULL,
  losses int NOT NULL,
  run int NOT NULL,
  since bigint NOT NULL
);
CREATE INDEX leased_lease ON leased (lease_id);

-- How attempts ended: insert-only, so that a second result cannot exist.
CREATE TABLE attempts (
  job_id varchar(36) NOT NULL,
  attempt int NOT NULL CHECK (attempt >= 1),
  run int NOT NULL,
  lease_id varchar(36) NOT NULL,
  worker_id varchar(36) NOT NULL,
  queued_at bigint NOT NULL,
  claimed_at bigint NOT NULL,
  started_at bigint,
  ended_at bigint NOT NULL,
  cancel_asked_at bigint,
  outcome varchar(16) NOT NULL CHECK (outcome IN ('succeeded', 'skipped', 'failed', 'lost', 'given_back', 'snoozed', 'throttled', 'canceled', 'uncertain')),
  state varchar(16) NOT NULL CHECK (state IN ('pending', 'queued', 'retry_wait', 'succeeded', 'failed', 'canceled', 'skipped', 'uncertain')),
  reason varchar(2048),
  next_run_at bigint,
  tries int NOT NULL,
  losses int NOT NULL,
  class varchar(32),
  code varchar(255),
  message longtext,
  fingerprint varchar(64),
  result longtext,
  PRIMARY KEY (job_id, attempt),
  CHECK (outcome <> 'succeeded' OR state = 'succeeded'),
  CHECK ((next_run_at IS NOT NULL) = (state IN ('pending', 'queued', 'retry_wait')))
);

-- Most attempts are the first of their job and succeed. Each is one narrow row in `successes`, and what a batch of them has in
-- common is one row here; every other end has a row of its own in `attempts`.
CREATE TABLE settlements (
  id bigint PRIMARY KEY AUTO_INCREMENT,
  worker_id varchar(36) NOT NULL,
  leases longtext NOT NULL,
  claimed_at longtext NOT NULL,
  ended_at bigint NOT NULL,
  CHECK (json_valid(leases) AND json_valid(claimed_at) AND json_length(leases) = json_length(claimed_at))
);
CREATE INDEX settlements_ended_at ON settlements (ended_at);

-- A place: the end, by a first attempt that succeeded. Insert-only, so that a second result cannot exist.
CREATE TABLE successes (
  job_id varchar(36) PRIMARY KEY,
  settlement_id bigint NOT NULL,
  lease int NOT NULL CHECK (lease >= 1),
  queued_at bigint NOT NULL,
  started_at bigint,
  result longtext
);

-- Results that came after their lease was lost: insert-only.
CREATE TABLE late_results (
  job_id varchar(36) NOT NULL,
  attempt int NOT NULL,
  outcome varchar(16) NOT NULL,
  at bigint NOT NULL,
  adopted boolean NOT NULL CHECK (adopted IN (0, 1)),
  result longtext,
  PRIMARY KEY (job_id, attempt)
);

-- A place: the end. The row goes when a person runs the job again, or with the job.
CREATE TABLE finished (
  job_id varchar(36) PRIMARY KEY,
  state varchar(16) NOT NULL CHECK (state IN ('succeeded', 'failed', 'canceled', 'skipped', 'uncertain')),
  reason varchar(2048),
  finished_at bigint NOT NULL,
  queued_at bigint,
  attempt int NOT NULL,
  tries int NOT NULL,
  losses int NOT NULL,
  run int NOT NULL,
  fingerprint varchar(64),
  discarded_at bigint,
  CHECK (state <> 'failed' OR (reason IS NOT NULL AND fingerprint IS NOT NULL))
);
CREATE INDEX finished_letters ON finished (state, discarded_at, fingerprint, job_id);
CREATE INDEX finished_others ON finished (state, job_id);

-- Ends that a person took back: insert-only, so that no instant of a job's history is forgotten.
CREATE TABLE redrives (
  job_id varchar(36) NOT NULL,
  run int NOT NULL,
  at bigint NOT NULL,
  finished_at bigint NOT NULL,
  queued_at bigint,
  discarded_at bigint,
  PRIMARY KEY (job_id, run)
);

-- Running jobs that were asked to stop.
CREATE TABLE cancellations (
  job_id varchar(36) PRIMARY KEY,
  asked_at bigint NOT NULL,
  reason varchar(2048)
);

-- The one row whose lock makes the numbers of events dense and safe to follow.
CREATE TABLE stream (
  id bigint PRIMARY KEY CHECK (id = 1),
  installation varchar(36) NOT NULL,
  epoch bigint NOT NULL CHECK (epoch >= 1),
  last_seq bigint NOT NULL CHECK (last_seq >= 0)
);
INSERT INTO stream (id, installation, epoch, last_seq) VALUES (1, uuid(), 1, 0);

-- The outbox: a row holds the facts of one kind that one transaction made. Append-only but for its number; the oldest go by age.
CREATE TABLE facts (
  id bigint PRIMARY KEY AUTO_INCREMENT,
  last_seq bigint,
  n int NOT NULL CHECK (n >= 1),
  type varchar(64) NOT NULL,
  queue varchar(255),
  from_state varchar(16),
  to_state varchar(16),
  at bigint NOT NULL,
  subject varchar(255),
  subjects longtext,
  attempts longtext,
  data longtext,
  items longtext,
  CHECK ((subject IS NULL) <> (subjects IS NULL)),
  CHECK (subjects IS NULL OR json_valid(subjects) AND json_length(subjects) = n)
);
-- A fact that nobody has numbered yet stands in one index only, where the empty number is found as well as any other; the index on
-- time takes it with its number.
CREATE INDEX facts_at ON facts (at);
CREATE UNIQUE INDEX facts_number ON facts (last_seq);

-- What the sequencer counts as it numbers: small, bounded by queues, and by minutes kept.
CREATE TABLE queue_counts (
  queue varchar(255) NOT NULL,
  state varchar(16) NOT NULL,
  n bigint NOT NULL,
  PRIMARY KEY (queue, state)
);
CREATE TABLE queue_minutes (
  queue varchar(255) NOT NULL,
  minute bigint NOT NULL,
  n bigint NOT NULL,
  PRIMARY KEY (queue, minute)
);
CREATE TABLE dead_letter_groups (
  fingerprint varchar(64) NOT NULL PRIMARY KEY,
  kind varchar(255) NOT NULL,
  reason varchar(2048) NOT NULL,
  class varchar(32) NOT NULL,
  code varchar(255) NOT NULL,
  message longtext NOT NULL,
  sample_job varchar(36) NOT NULL,
  n int NOT NULL,
  first_at bigint NOT NULL,
  last_at bigint NOT NULL
);
-- Found as soon as it is empty.
CREATE INDEX dead_letter_groups_n ON dead_letter_groups (n);

-- `lease_us` says how long the leases of a worker last without a renewal: whoever watches them waits for as long before it takes
-- one back, and goes by the end of the lease where a worker does not say.
CREATE TABLE workers (
  id varchar(36) NOT NULL PRIMARY KEY,
  name varchar(255) NOT NULL,
  version varchar(64) NOT NULL,
  slots longtext NOT NULL,
  running bigint NOT NULL,
  draining boolean NOT NULL CHECK (draining IN (0, 1)),
  started_at bigint NOT NULL,
  seen_at bigint NOT NULL,
  left_at bigint,
  lease_us bigint
);

CREATE TABLE leadership (
  id bigint PRIMARY KEY CHECK (id = 1),
  node varchar(255),
  until bigint NOT NULL
);
INSERT INTO leadership (id, node, until) VALUES (1, NULL, 0);

CREATE TABLE operations (
  id varchar(36) NOT NULL PRIMARY KEY,
  action varchar(16) NOT NULL CHECK (action IN ('retry', 'discard')),
  filter longtext NOT NULL,
  total bigint NOT NULL,
  done bigint NOT NULL DEFAULT 0,
  "cursor" varchar(64) NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
  created_at bigint NOT NULL,
  finished_at bigint
);
CREATE INDEX operations_unfinished ON operations (finished_at, id);

-- Which generation of hints there should be, and for which incarnation of the far end it was built.
CREATE TABLE hint_generation (
  id bigint PRIMARY KEY CHECK (id = 1),
  number bigint NOT NULL CHECK (number >= 0),
  incarnation varchar(255) NOT NULL
);
INSERT INTO hint_generation (id, number, incarnation) VALUES (1, 0, '');

-- Who is reached. The number is given once, in the order of commits: audiences are walked by it.
CREATE TABLE recipients (
  number bigint PRIMARY KEY,
  id varchar(512) NOT NULL UNIQUE,
  platform varchar(64) NOT NULL,
  lat double,
  lon double,
  topics longtext NOT NULL,
  enabled boolean NOT NULL CHECK (enabled IN (0, 1)),
  addresses longtext NOT NULL,
  time_zone varchar(64),
  dead longtext NOT NULL,
  marks longtext NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  CHECK ((lat IS NULL) = (lon IS NULL))
);
CREATE INDEX recipients_disabled ON recipients (enabled, number);
-- What an audience can ask for, and whose it is: a platform, a topic, or a cell of the globe.
CREATE TABLE recipient_marks (
  mark varchar(512) NOT NULL,
  number bigint NOT NULL,
  PRIMARY KEY (mark, number)
);
-- The highest number given so far.
CREATE TABLE recipient_numbers (
  id bigint PRIMARY KEY CHECK (id = 1),
  last bigint NOT NULL CHECK (last >= 0)
);
INSERT INTO recipient_numbers (id, last) VALUES (1, 0);

-- A campaign is one row, changed by each chunk: its cursor commits with the rows that the chunk made.
-- Its line is the queue that is called by its id: rate, pause and counters are kept there, once.
CREATE TABLE campaigns (
  id varchar(36) NOT NULL PRIMARY KEY,
  "key" varchar(512) UNIQUE,
  content_hash varchar(128) NOT NULL,
  plan longtext NOT NULL,
  lane varchar(255) NOT NULL,
  state varchar(16) NOT NULL CHECK (state IN ('scheduled', 'expanding', 'sending', 'done', 'stopped', 'canceled')),
  why longtext,
  epoch bigint NOT NULL DEFAULT 0 CHECK (epoch >= 0),
  start_at bigint NOT NULL,
  "cursor" bigint NOT NULL DEFAULT 0 CHECK ("cursor" >= 0),
  until bigint,
  expected bigint,
  expanded bigint NOT NULL DEFAULT 0 CHECK (expanded >= 0),
  items bigint NOT NULL DEFAULT 0,
  chunks bigint NOT NULL DEFAULT 0,
  holder varchar(255),
  held_until bigint,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  began_at bigint,
  completed_at bigint,
  finished_at bigint,
  expanding_lane varchar(255) AS (CASE WHEN state = 'expanding' THEN lane END),
  CHECK (until >= "cursor"),
  CHECK ((holder IS NULL) = (held_until IS NULL)),
  CHECK (state <> 'expanding' OR (until IS NOT NULL AND completed_at IS NULL)),
  CHECK (state NOT IN ('sending', 'done') OR (completed_at IS NOT NULL AND "cursor" = until)),
  CHECK (state <> 'done' OR finished_at IS NOT NULL)
);
CREATE INDEX campaigns_active ON campaigns (finished_at, start_at, id);
-- One campaign of a lane expands at a time, whoever thinks otherwise.
CREATE UNIQUE INDEX campaigns_lane ON campaigns (expanding_lane);

-- What is made again and again. It stands at its next nominal time, and is looked at when it is due; it
-- does neither while it is paused.
CREATE TABLE schedules (
  id varchar(36) NOT NULL PRIMARY KEY,
  name varchar(255) NOT NULL UNIQUE,
  cron longtext NOT NULL,
  time_zone varchar(64) NOT NULL,
  template longtext NOT NULL,
  lead_us bigint NOT NULL CHECK (lead_us >= 0),
  missed varchar(16) NOT NULL CHECK (missed IN ('skip', 'latest', 'all')),
  missed_max bigint NOT NULL CHECK (missed_max >= 0),
  revision int NOT NULL CHECK (revision >= 1),
  paused boolean NOT NULL CHECK (paused IN (0, 1)),
  next_at bigint,
  due_at bigint,
  last_at bigint,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  CHECK ((next_at IS NULL) = (due_at IS NULL)),
  CHECK (next_at IS NULL OR NOT paused)
);
CREATE INDEX schedules_due ON schedules (due_at);

-- What became of nominal times, one row for each, so that none is fired twice; what was missed in a row
-- is one. Append-only; the oldest go by age.
CREATE TABLE fires (
  schedule_id varchar(36) NOT NULL,
  at bigint NOT NULL,
  recorded_at bigint NOT NULL,
  made longtext,
  by_hand boolean NOT NULL CHECK (by_hand IN (0, 1)),
  missed_until bigint,
  missed bigint CHECK (missed >= 1),
  reason varchar(2048),
  PRIMARY KEY (schedule_id, at),
  CHECK ((made IS NULL) = (missed IS NOT NULL)),
  CHECK ((missed IS NULL) = (missed_until IS NULL) AND (missed IS NULL) = (reason IS NULL)),
  CHECK (missed_until >= at)
);
CREATE INDEX fires_recorded_at ON fires (recorded_at);

-- What recipients were told. The number within an inbox is given with its counter: whoever comes later has a higher
-- one. The oldest go by age.
CREATE TABLE inbox (
  recipient bigint NOT NULL,
  seq bigint NOT NULL CHECK (seq >= 1),
  id varchar(36) NOT NULL UNIQUE,
  campaign_id varchar(36),
  notification_id varchar(36),
  category varchar(255) NOT NULL,
  title longtext NOT NULL,
  body longtext NOT NULL,
  data longtext,
  created_at bigint NOT NULL,
  read_at bigint,
  PRIMARY KEY (recipient, seq),
  CHECK (campaign_id IS NULL OR notification_id IS NULL)
);
CREATE UNIQUE INDEX inbox_campaign ON inbox (campaign_id, recipient);
-- How much of it is unread: a row for each recipient that was ever told something, gone with the recipient.
CREATE TABLE inboxes (
  recipient bigint PRIMARY KEY,
  unread bigint NOT NULL CHECK (unread >= 0),
  version bigint NOT NULL,
  CHECK (version >= unread)
);
-- What became of notifications, for whoever asks again. They go by age.
CREATE TABLE notifications (
  id varchar(36) NOT NULL PRIMARY KEY,
  "key" varchar(512) UNIQUE,
  content_hash varchar(128) NOT NULL,
  sent longtext NOT NULL,
  created_at bigint NOT NULL
);

-- People who are erased, a row for each operation. As long as it is under way, the row is the mark of the person: what was begun
-- before it is written no more. What they are found by goes with its end; their number stays, which nobody else is given, for what
-- a node has in hand may come at any time.
CREATE TABLE erasures (
  id varchar(36) NOT NULL PRIMARY KEY,
  number bigint UNIQUE,
  recipient varchar(512) UNIQUE,
  quoted longtext,
  quoted_within longtext,
  addresses longtext,
  stage varchar(16),
  "cursor" varchar(64) NOT NULL DEFAULT '',
  done bigint NOT NULL DEFAULT 0 CHECK (done >= 0),
  created_at bigint NOT NULL,
  finished_at bigint,
  CHECK (stage IN ('schedules', 'deliveries', 'campaigns', 'notifications', 'facts', 'events', 'dead_letters')),
  CHECK ((finished_at IS NULL) = (stage IS NOT NULL)),
  CHECK ((finished_at IS NULL) = (recipient IS NOT NULL AND quoted IS NOT NULL AND quoted_within IS NOT NULL AND addresses IS NOT NULL))
);
CREATE INDEX erasures_unfinished ON erasures (finished_at, id);
-- The one row whose lock says who was first: whoever looks for a mark of somebody who is erased shares it, and whoever makes a mark has
-- it alone.
CREATE TABLE erasing (
  id bigint PRIMARY KEY CHECK (id = 1)
);
INSERT INTO erasing (id) VALUES (1);
