-- A place: leased. One row covers a claimed batch; a job of it is held while it has no attempt row.
CREATE TABLE leases (
  id uuid PRIMARY KEY,
  worker_id uuid NOT NULL,
  queue text COLLATE "C" NOT NULL,
  until bigint NOT NULL,
  claimed_at bigint NOT NULL,
  open integer NOT NULL CHECK (open > 0),
  jobs uuid[] NOT NULL,
  attempts integer[] NOT NULL,
  tries integer[] NOT NULL,
  losses integer[] NOT NULL,
  runs integer[] NOT NULL,
  since bigint[] NOT NULL
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.0, autovacuum_vacuum_threshold = 1000);
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

-- The fence (OFFSET) keeps attempts from being joined as a whole: they are looked up one by one.
CREATE VIEW held AS
SELECT u.job_id, l.id AS lease_id, l.worker_id, l.queue, l.until, l.claimed_at, u.attempt, u.tries, u.losses, u.run, u.since
FROM leases l
CROSS JOIN LATERAL unnest(l.jobs, l.attempts, l.tries, l.losses, l.runs, l.since) AS u (job_id, attempt, tries, losses, run, since)
WHERE NOT EXISTS (SELECT 1 FROM attempts a WHERE a.job_id = u.job_id AND a.attempt = u.attempt OFFSET 0);
