-- A place: leased. One row covers a claimed batch; each job of it is a row in `leased`.
CREATE TABLE leases (
  id text PRIMARY KEY,
  worker_id text NOT NULL,
  queue text NOT NULL,
  until integer NOT NULL,
  claimed_at integer NOT NULL,
  open integer NOT NULL CHECK (open >= 0)
) WITHOUT ROWID;
CREATE TABLE leased (
  job_id text PRIMARY KEY,
  lease_id text NOT NULL,
  attempt integer NOT NULL,
  tries integer NOT NULL,
  losses integer NOT NULL,
  run integer NOT NULL,
  since integer NOT NULL
) WITHOUT ROWID;
CREATE INDEX leased_lease ON leased (lease_id);
CREATE INDEX leases_worker ON leases (worker_id);

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

CREATE VIEW held AS
SELECT h.job_id, h.lease_id, l.worker_id, l.queue, l.until, l.claimed_at, h.attempt, h.tries, h.losses, h.run, h.since
FROM leased h
JOIN leases l ON l.id = h.lease_id;
