-- What was asked is written once and never changed; it goes when the job is pruned.
CREATE TABLE jobs (
  id uuid PRIMARY KEY,
  key text COLLATE "C",
  kind text COLLATE "C" NOT NULL,
  queue text COLLATE "C" NOT NULL,
  priority smallint NOT NULL CHECK (priority BETWEEN -100 AND 100),
  payload text NOT NULL,
  run_at bigint NOT NULL,
  max_attempts integer NOT NULL CHECK (max_attempts >= 1),
  backoff text NOT NULL,
  timeout_us bigint NOT NULL CHECK (timeout_us > 0),
  expires_at bigint,
  delivery text NOT NULL CHECK (delivery IN ('at_least_once', 'at_most_once')),
  tags text NOT NULL,
  created_at bigint NOT NULL
);

-- Keys live apart and for a window, so that random keys do not slow enqueue as history grows.
CREATE TABLE job_keys (
  key text COLLATE "C" PRIMARY KEY,
  job_id uuid NOT NULL,
  content_hash text NOT NULL,
  created_at bigint NOT NULL
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
CREATE INDEX waiting_due ON waiting (run_at, job_id);
CREATE INDEX waiting_expiry ON waiting (expires_at) WHERE expires_at IS NOT NULL;

-- A place: any worker may claim it. Rows are inserted and deleted, never updated.
CREATE TABLE ready (
  queue text COLLATE "C" NOT NULL,
  priority smallint NOT NULL,
  run_at bigint NOT NULL,
  job_id uuid NOT NULL,
  expires_at bigint,
  since bigint NOT NULL,
  attempt integer NOT NULL CHECK (attempt >= 0),
  tries integer NOT NULL CHECK (tries >= 0),
  losses integer NOT NULL CHECK (losses >= 0),
  run integer NOT NULL CHECK (run >= 1),
  PRIMARY KEY (queue, priority, run_at, job_id)
) WITH (autovacuum_vacuum_scale_factor = 0.0, autovacuum_vacuum_threshold = 20000);
CREATE UNIQUE INDEX ready_job ON ready (job_id);
CREATE INDEX ready_expiry ON ready (expires_at) WHERE expires_at IS NOT NULL;
