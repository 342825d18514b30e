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

-- Keys live apart and for a window, so that random keys do not slow enqueue as history grows.
CREATE TABLE job_keys (
  key text PRIMARY KEY,
  job_id text NOT NULL,
  content_hash text NOT NULL,
  created_at integer NOT NULL
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
CREATE UNIQUE INDEX ready_job ON ready (job_id);
CREATE INDEX ready_expiry ON ready (expires_at) WHERE expires_at IS NOT NULL;
