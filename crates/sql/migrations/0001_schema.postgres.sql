-- Oldest program: 1
-- What a value may be stands with its type, where a statement in the way of a single job writes it: the text of a CHECK is parsed
-- and planned anew for each statement, a domain's once for each connection.
CREATE DOMAIN job_delivery AS text CHECK (VALUE IN ('at_least_once', 'at_most_once'));
CREATE DOMAIN job_priority AS smallint CHECK (VALUE BETWEEN -100 AND 100);
CREATE DOMAIN job_timeout AS bigint CHECK (VALUE > 0);
CREATE DOMAIN one_or_more AS integer CHECK (VALUE >= 1);
CREATE TYPE uuid_range AS RANGE (subtype = uuid);

-- What was asked is written once and never changed; it goes when the job is pruned.
CREATE TABLE jobs (
  id uuid PRIMARY KEY,
  key text COLLATE "C",
  kind text COLLATE "C" NOT NULL,
  queue text COLLATE "C" NOT NULL,
  priority job_priority NOT NULL,
  payload text NOT NULL,
  run_at bigint NOT NULL,
  max_attempts one_or_more NOT NULL,
  backoff text NOT NULL,
  timeout_us job_timeout NOT NULL,
  expires_at bigint,
  delivery job_delivery NOT NULL,
  tags text NOT NULL,
  created_at bigint NOT NULL
);

-- Keys live apart and for a window, so that random keys do not slow enqueue as history grows. What a job ended as, and when, stands
-- here once the job is forgotten and only its key is left.
CREATE TABLE job_keys (
  key text COLLATE "C" PRIMARY KEY,
  job_id uuid NOT NULL,
  content_hash text NOT NULL,
  created_at bigint NOT NULL,
  ended_as text,
  ended_at bigint,
  CHECK ((ended_as IS NULL) = (ended_at IS NULL) AND ended_as IN ('succeeded', 'failed', 'canceled', 'skipped', 'uncertain'))
);
CREATE INDEX job_keys_created_at ON job_keys (created_at);

CREATE TABLE queues (
  name text COLLATE "C" PRIMARY KEY,
  paused boolean NOT NULL DEFAULT false,
  max_running integer CHECK (max_running >= 1),
  rate double precision CHECK (rate > 0),
  tokens double precision NOT NULL DEFAULT 0,
  tokens_at bigint NOT NULL DEFAULT 0,
  created_at bigint NOT NULL
);

-- A place: its time has not come. Small, and its space comes back by vacuum.
CREATE TABLE waiting (
  job_id uuid PRIMARY KEY,
  state text NOT NULL CHECK (state IN ('pending', 'retry_wait')),
  queue text COLLATE "C" NOT NULL,
  priority smallint NOT NULL,
  run_at bigint NOT NULL,
  expires_at bigint,
  since bigint NOT NULL,
  attempt integer NOT NULL CHECK (attempt >= 0),
  tries integer NOT NULL CHECK (tries >= 0),
  losses integer NOT NULL CHECK (losses >= 0),
  run integer NOT NULL CHECK (run >= 1),
  CHECK (state = 'pending' OR attempt >= 1)
) WITH (autovacuum_vacuum_scale_factor = 0.0, autovacuum_vacuum_threshold = 20000);
-- A line is walked through an index that serves nobody else: its condition always holds, but only who writes it can use it. The
-- planner, who takes an empty line for one that stays empty, had jobs looked up by reading the whole line.
CREATE INDEX waiting_due ON waiting (run_at, job_id) WHERE run >= 1;
CREATE INDEX waiting_expiry ON waiting (expires_at) WHERE expires_at IS NOT NULL;

-- A place: any worker may claim it. Rows are inserted and deleted, never updated.
CREATE TABLE ready (
  queue text COLLATE "C" NOT NULL,
  priority smallint NOT NULL,
  run_at bigint NOT NULL,
  job_id uuid PRIMARY KEY,
  expires_at bigint,
  since bigint NOT NULL,
  attempt integer NOT NULL CHECK (attempt >= 0),
  tries integer NOT NULL CHECK (tries >= 0),
  losses integer NOT NULL CHECK (losses >= 0),
  run integer NOT NULL CHECK (run >= 1)
) WITH (autovacuum_vacuum_scale_factor = 0.0, autovacuum_vacuum_threshold = 20000);
CREATE INDEX ready_line ON ready (queue, priority, run_at, job_id) WHERE run >= 1;
CREATE INDEX ready_expiry ON ready (expires_at) WHERE expires_at IS NOT NULL;

-- A place: deliveries that were made together and that nobody has claimed or changed since, in one row. The first `taken` of them
-- have gone. Those of one batch have ids between those of any two others. `payloads` says what each of `jobs` is asked, in the same
-- order, so that a claim brings it without looking each up.
CREATE TABLE ready_batches (
  first uuid PRIMARY KEY,
  queue text COLLATE "C" NOT NULL,
  priority smallint NOT NULL,
  run_at bigint NOT NULL,
  expires_at bigint,
  since bigint NOT NULL,
  n integer NOT NULL,
  taken integer NOT NULL DEFAULT 0,
  jobs uuid[] NOT NULL,
  payloads text[] NOT NULL,
  CHECK (taken >= 0 AND taken < n),
  CHECK (cardinality(jobs) = n AND jobs[1] = first),
  CHECK (cardinality(payloads) = n)
) WITH (fillfactor = 50);
-- Ids are drawn by chance, or differ in a few bytes: to compress them costs more time than it saves.
ALTER TABLE ready_batches ALTER COLUMN jobs SET STORAGE EXTERNAL, ALTER COLUMN payloads SET STORAGE EXTERNAL;
CREATE INDEX ready_batches_line ON ready_batches (queue, run_at, first) WHERE n >= 1;
CREATE INDEX ready_batches_expiry ON ready_batches (expires_at) WHERE expires_at IS NOT NULL;

-- A place: leased. One row covers a claimed batch; a job of it is held while nothing is recorded of its attempt. The counters of a
-- batch of first attempts go without saying. `done` says which of its jobs, by place in `jobs`, `success_batches` has recorded: if these
-- are as many as are not open any more, nothing else is recorded of it, and nothing has to be looked up.
CREATE TABLE leases (
  id uuid PRIMARY KEY,
  worker_id uuid NOT NULL,
  queue text COLLATE "C" NOT NULL,
  until bigint NOT NULL,
  claimed_at bigint NOT NULL,
  open one_or_more NOT NULL,
  jobs uuid[] NOT NULL,
  attempts integer[],
  tries integer[],
  losses integer[],
  runs integer[],
  since bigint[] NOT NULL,
  done int4multirange NOT NULL DEFAULT '{}'
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.0, autovacuum_vacuum_threshold = 1000);
ALTER TABLE leases ALTER COLUMN jobs SET STORAGE EXTERNAL;
CREATE INDEX leases_worker ON leases (worker_id);

-- How attempts ended: insert-only, so that a second result cannot exist.
CREATE TABLE attempts (
  job_id uuid NOT NULL,
  attempt integer NOT NULL CHECK (attempt >= 1),
  run integer NOT NULL,
  lease_id uuid NOT NULL,
  worker_id uuid NOT NULL,
  queued_at bigint NOT NULL,
  claimed_at bigint NOT NULL,
  started_at bigint,
  ended_at bigint NOT NULL,
  cancel_asked_at bigint,
  outcome text NOT NULL CHECK (outcome IN ('succeeded', 'skipped', 'failed', 'lost', 'given_back', 'snoozed', 'throttled', 'canceled', 'uncertain')),
  state text NOT NULL CHECK (state IN ('pending', 'queued', 'retry_wait', 'succeeded', 'failed', 'canceled', 'skipped', 'uncertain')),
  reason text,
  next_run_at bigint,
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
);

-- Most attempts are the first of their job and succeed. Each is one narrow row in `successes`, and what a batch of them has in
-- common is one row here; every other end has a row of its own in `attempts`.
CREATE TABLE settlements (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  worker_id uuid NOT NULL,
  leases uuid[] NOT NULL,
  claimed_at bigint[] NOT NULL,
  ended_at bigint NOT NULL,
  CHECK (cardinality(leases) = cardinality(claimed_at))
);
CREATE INDEX settlements_ended_at ON settlements (ended_at);

-- A place: the end, by a first attempt that succeeded. Insert-only, so that a second result cannot exist.
CREATE TABLE successes (
  job_id uuid PRIMARY KEY,
  settlement_id bigint NOT NULL,
  lease smallint NOT NULL CHECK (lease >= 1),
  queued_at bigint NOT NULL,
  started_at bigint,
  result text
);

-- A place: the ends of jobs that succeeded together, by first attempts under one lease. They come many at a time, of jobs that were
-- made one after the other, and are one row, in the order of their ids; whoever looks for one steps to the last row that begins before
-- it. So no two may have ids between each other's.
CREATE TABLE success_batches (
  first uuid PRIMARY KEY,
  last uuid NOT NULL,
  n integer NOT NULL CHECK (n >= 1),
  worker_id uuid NOT NULL,
  lease_id uuid NOT NULL,
  claimed_at bigint NOT NULL,
  ended_at bigint NOT NULL,
  jobs uuid[] NOT NULL,
  queued_ats bigint[] NOT NULL,
  started_ats bigint[] NOT NULL,
  -- Nothing when none of them had anything to say.
  results text[],
  CHECK (cardinality(jobs) = n AND jobs[1] = first AND jobs[n] = last),
  CHECK (cardinality(queued_ats) = n AND cardinality(started_ats) = n AND cardinality(results) = n),
  EXCLUDE USING gist (uuid_range(first, last, '[]') WITH &&)
);
ALTER TABLE success_batches
  ALTER COLUMN jobs SET STORAGE EXTERNAL, ALTER COLUMN queued_ats SET STORAGE EXTERNAL, ALTER COLUMN started_ats SET STORAGE EXTERNAL;

-- A job in a batch of successes has its result, and gets no second one: what is recorded of it elsewhere is passed over.
CREATE FUNCTION pass_over_success() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT 1 FROM (SELECT last, jobs FROM success_batches WHERE first <= NEW.job_id ORDER BY first DESC LIMIT 1) k
    WHERE k.last >= NEW.job_id AND k.jobs[width_bucket(NEW.job_id, k.jobs)] = NEW.job_id)
  THEN
    RETURN NULL;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER attempts_not_of_successes BEFORE INSERT ON attempts FOR EACH ROW EXECUTE FUNCTION pass_over_success();

-- Where in a lease these of its jobs are, for `leases.done`. What is not found there is left out: the numbers disagree, and each is
-- looked up.
CREATE FUNCTION places_in(held uuid[], ended uuid[]) RETURNS int4multirange LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  RETURN (
    SELECT coalesce(range_agg(int4range(p.place, p.place + 1)), '{}')
    FROM (
      -- A slice, for the array as it is kept here would be copied for each of them.
      SELECT s.job, l.jobs, width_bucket(s.job, l.jobs) AS place
      FROM (SELECT held[1 :] AS jobs OFFSET 0) l CROSS JOIN unnest(ended) AS s (job)
    ) p
    WHERE p.jobs[p.place] = p.job);
END $$;

-- Results that came after their lease was lost: insert-only.
CREATE TABLE late_results (
  job_id uuid NOT NULL,
  attempt integer NOT NULL,
  outcome text NOT NULL,
  at bigint NOT NULL,
  adopted boolean NOT NULL,
  result text,
  PRIMARY KEY (job_id, attempt)
);

-- A place: the end. The row goes when a person runs the job again, or with the job.
CREATE TABLE finished (
  job_id uuid PRIMARY KEY,
  state text NOT NULL CHECK (state IN ('succeeded', 'failed', 'canceled', 'skipped', 'uncertain')),
  reason text,
  finished_at bigint NOT NULL,
  queued_at bigint,
  attempt integer NOT NULL,
  tries integer NOT NULL,
  losses integer NOT NULL,
  run integer NOT NULL,
  fingerprint text,
  discarded_at bigint,
  CHECK (state <> 'failed' OR (reason IS NOT NULL AND fingerprint IS NOT NULL))
);
CREATE INDEX finished_letters ON finished (fingerprint, job_id) WHERE state = 'failed' AND discarded_at IS NULL;
CREATE INDEX finished_others ON finished (state, job_id) WHERE state <> 'succeeded';

-- Ends that a person took back: insert-only, so that no instant of a job's history is forgotten.
CREATE TABLE redrives (
  job_id uuid NOT NULL,
  run integer NOT NULL,
  at bigint NOT NULL,
  finished_at bigint NOT NULL,
  queued_at bigint,
  discarded_at bigint,
  PRIMARY KEY (job_id, run)
);

-- Running jobs that were asked to stop.
CREATE TABLE cancellations (
  job_id uuid PRIMARY KEY,
  asked_at bigint NOT NULL,
  reason text
);

-- The one row whose lock makes the numbers of events dense and safe to follow. `incarnation` says which copy of the database the
-- history of events belongs to; NULL until a server has looked.
CREATE TABLE stream (
  id smallint PRIMARY KEY CHECK (id = 1),
  installation uuid NOT NULL,
  epoch bigint NOT NULL CHECK (epoch >= 1),
  last_seq bigint NOT NULL CHECK (last_seq >= 0),
  incarnation text
);
INSERT INTO stream (id, installation, epoch, last_seq) VALUES (1, gen_random_uuid(), 1, 0);

-- What this copy is: the cluster, its timeline, the database, and the table that holds the history. A dump that
-- was restored, a cluster that was taken back in time and a standby that was promoted are others. NULL where it
-- cannot be asked: by a user without the right, on a standby.
CREATE FUNCTION incarnation(history oid) RETURNS text
LANGUAGE plpgsql STABLE
AS $$
BEGIN
  RETURN (SELECT s.system_identifier FROM pg_control_system() s)
    || '/' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8)
    || '/' || (SELECT d.oid FROM pg_database d WHERE d.datname = current_database())
    || '/' || history;
EXCEPTION WHEN OTHERS THEN
  RETURN NULL;
END
$$;

-- The outbox: a row holds the facts of one kind that one transaction made. Append-only but for its number; the oldest go by age.
CREATE TABLE facts (
  id bigint GENERATED ALWAYS AS IDENTITY,
  last_seq bigint,
  n one_or_more NOT NULL,
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
  -- What two columns say of each other no type can: one CHECK for both.
  CHECK (num_nulls(subject, subjects) = 1 AND cardinality(subjects) = n)
);
ALTER TABLE facts ALTER COLUMN subjects SET STORAGE EXTERNAL;
-- A fact that nobody has numbered yet stands in one index only; the others take it with its number. An idle system waits for every
-- index of what it writes.
CREATE INDEX facts_unnumbered ON facts (id) WHERE last_seq IS NULL;
CREATE UNIQUE INDEX facts_number ON facts (last_seq) WHERE last_seq IS NOT NULL;
CREATE INDEX facts_at ON facts (at) WHERE last_seq IS NOT NULL;

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

-- `lease_us` says how long the leases of a worker last without a renewal: whoever watches them waits for as long before it takes
-- one back, and goes by the end of the lease where a worker does not say.
CREATE TABLE workers (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  version text NOT NULL,
  slots text NOT NULL,
  running integer NOT NULL,
  draining boolean NOT NULL,
  started_at bigint NOT NULL,
  seen_at bigint NOT NULL,
  left_at bigint,
  lease_us bigint
);

CREATE TABLE leadership (
  id smallint PRIMARY KEY CHECK (id = 1),
  node uuid,
  until bigint NOT NULL
);
INSERT INTO leadership (id, node, until) VALUES (1, NULL, 0);

CREATE TABLE operations (
  id uuid PRIMARY KEY,
  action text NOT NULL CHECK (action IN ('retry', 'discard')),
  filter text NOT NULL,
  total bigint NOT NULL,
  done bigint NOT NULL DEFAULT 0,
  cursor uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
  created_at bigint NOT NULL,
  finished_at bigint
);
CREATE INDEX operations_unfinished ON operations (id) WHERE finished_at IS NULL;

-- Which generation of hints there should be, and for which incarnation of the far end it was built.
CREATE TABLE hint_generation (
  id smallint PRIMARY KEY CHECK (id = 1),
  number bigint NOT NULL CHECK (number >= 0),
  incarnation text NOT NULL
);
INSERT INTO hint_generation (id, number, incarnation) VALUES (1, 0, '');

-- Who is reached. The number is given once, in the order of commits: audiences are walked by it.
CREATE TABLE recipients (
  number bigint PRIMARY KEY,
  id text COLLATE "C" NOT NULL UNIQUE,
  platform text NOT NULL,
  lat double precision,
  lon double precision,
  topics text NOT NULL,
  enabled boolean NOT NULL,
  addresses text NOT NULL,
  time_zone text,
  dead text NOT NULL,
  marks text NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  CHECK ((lat IS NULL) = (lon IS NULL))
);
CREATE INDEX recipients_disabled ON recipients (number) WHERE NOT enabled;
-- What an audience can ask for, and whose it is: a platform, a topic, or a cell of the globe.
CREATE TABLE recipient_marks (
  mark text COLLATE "C" NOT NULL,
  number bigint NOT NULL,
  PRIMARY KEY (mark, number)
);
-- The highest number given so far. Its lock makes numbers commit in their order.
CREATE TABLE recipient_numbers (
  id smallint PRIMARY KEY CHECK (id = 1),
  last bigint NOT NULL CHECK (last >= 0)
);
INSERT INTO recipient_numbers (id, last) VALUES (1, 0);

-- A campaign is one row, changed by each chunk: its cursor commits with the rows that the chunk made.
-- Its line is the queue that is called by its id: rate, pause and counters are kept there, once.
CREATE TABLE campaigns (
  id uuid PRIMARY KEY,
  key text COLLATE "C" UNIQUE,
  content_hash text NOT NULL,
  plan text NOT NULL,
  lane text COLLATE "C" NOT NULL,
  state text NOT NULL CHECK (state IN ('scheduled', 'expanding', 'sending', 'done', 'stopped', 'canceled')),
  why text,
  epoch bigint NOT NULL DEFAULT 0 CHECK (epoch >= 0),
  start_at bigint NOT NULL,
  cursor bigint NOT NULL DEFAULT 0 CHECK (cursor >= 0),
  until bigint CHECK (until >= cursor),
  expected bigint,
  expanded bigint NOT NULL DEFAULT 0 CHECK (expanded >= 0),
  items bigint NOT NULL DEFAULT 0,
  chunks bigint NOT NULL DEFAULT 0,
  holder uuid,
  held_until bigint,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  began_at bigint,
  completed_at bigint,
  finished_at bigint,
  CHECK ((holder IS NULL) = (held_until IS NULL)),
  CHECK (state <> 'expanding' OR (until IS NOT NULL AND completed_at IS NULL)),
  CHECK (state NOT IN ('sending', 'done') OR (completed_at IS NOT NULL AND cursor = until)),
  CHECK (state <> 'done' OR finished_at IS NOT NULL)
) WITH (fillfactor = 50);
-- One campaign of a lane expands at a time, whoever thinks otherwise.
CREATE UNIQUE INDEX campaigns_lane ON campaigns (lane) WHERE state = 'expanding';
CREATE INDEX campaigns_active ON campaigns (start_at, id) WHERE finished_at IS NULL;

-- What is made again and again. It stands at its next nominal time, and is looked at when it is due; it
-- does neither while it is paused.
CREATE TABLE schedules (
  id uuid PRIMARY KEY,
  name text COLLATE "C" NOT NULL UNIQUE,
  cron text NOT NULL,
  time_zone text NOT NULL,
  template text NOT NULL,
  lead_us bigint NOT NULL CHECK (lead_us >= 0),
  missed text NOT NULL CHECK (missed IN ('skip', 'latest', 'all')),
  missed_max integer NOT NULL CHECK (missed_max >= 0),
  revision bigint NOT NULL CHECK (revision >= 1),
  paused boolean NOT NULL,
  next_at bigint,
  due_at bigint,
  last_at bigint,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  CHECK ((next_at IS NULL) = (due_at IS NULL)),
  CHECK (next_at IS NULL OR NOT paused)
);
CREATE INDEX schedules_due ON schedules (due_at) WHERE due_at IS NOT NULL;

-- What became of nominal times, one row for each, so that none is fired twice; what was missed in a row
-- is one. Append-only; the oldest go by age.
CREATE TABLE fires (
  schedule_id uuid NOT NULL,
  at bigint NOT NULL,
  recorded_at bigint NOT NULL,
  made text,
  by_hand boolean NOT NULL,
  missed_until bigint,
  missed integer CHECK (missed >= 1),
  reason text,
  PRIMARY KEY (schedule_id, at),
  CHECK ((made IS NULL) = (missed IS NOT NULL)),
  CHECK ((missed IS NULL) = (missed_until IS NULL) AND (missed IS NULL) = (reason IS NULL)),
  CHECK (missed_until >= at)
);
CREATE INDEX fires_recorded_at ON fires (recorded_at);

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

-- People who are erased, a row for each operation. As long as it is under way, the row is the mark of the person: what was begun
-- before it is written no more. What they are found by goes with its end; their number stays, which nobody else is given, for what
-- a node has in hand may come at any time.
CREATE TABLE erasures (
  id uuid NOT NULL PRIMARY KEY,
  number bigint UNIQUE,
  recipient text COLLATE "C" UNIQUE,
  quoted text,
  quoted_within text,
  addresses text,
  stage text,
  cursor text NOT NULL DEFAULT '',
  done bigint NOT NULL DEFAULT 0 CHECK (done >= 0),
  created_at bigint NOT NULL,
  finished_at bigint,
  CHECK (stage IN ('schedules', 'deliveries', 'campaigns', 'notifications', 'facts', 'events', 'dead_letters')),
  CHECK ((finished_at IS NULL) = (stage IS NOT NULL)),
  CHECK ((finished_at IS NULL) = (recipient IS NOT NULL AND quoted IS NOT NULL AND quoted_within IS NOT NULL AND addresses IS NOT NULL))
);
CREATE INDEX erasures_unfinished ON erasures (id) WHERE finished_at IS NULL;
