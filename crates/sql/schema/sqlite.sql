CREATE TABLE api_keys (
  id text NOT NULL PRIMARY KEY,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
  digest text NOT NULL CHECK (length(digest) = 64),
  permissions text NOT NULL CHECK (permissions <> '[]'),
  kinds text NOT NULL,
  queues text NOT NULL,
  created_at integer NOT NULL,
  created_by text NOT NULL,
  expires_at integer,
  revoked_at integer,
  last_used_at integer
) WITHOUT ROWID;

CREATE INDEX api_keys_revoked_at ON api_keys (revoked_at);

CREATE TABLE approvals (
  campaign text NOT NULL PRIMARY KEY,
  recipients integer NOT NULL CHECK (recipients >= 0),
  asked_by text NOT NULL,
  asked_name text NOT NULL,
  person text NOT NULL,
  asked_at integer NOT NULL,
  approved_by text,
  approved_name text,
  approved_at integer,
  CHECK ((approved_at IS NULL) = (approved_by IS NULL) AND (approved_at IS NULL) = (approved_name IS NULL))
);

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

CREATE TABLE audit_log (
  at integer NOT NULL,
  id text NOT NULL,
  principal text NOT NULL CHECK (principal <> ''),
  name text NOT NULL,
  action text NOT NULL CHECK (action <> ''),
  object text NOT NULL,
  was text,
  to_be text,
  reason text,
  n integer CHECK (n >= 0),
  request_id text,
  PRIMARY KEY (at, id)
) WITHOUT ROWID;

CREATE INDEX audit_log_action ON audit_log (action, at, id);

CREATE INDEX audit_log_object ON audit_log (object, at, id);

CREATE INDEX audit_log_principal ON audit_log (principal, at, id);

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
  finished_at integer, losses integer NOT NULL DEFAULT 0, lost_at integer,
  CHECK ((holder IS NULL) = (held_until IS NULL)),
  CHECK (state <> 'expanding' OR (until IS NOT NULL AND completed_at IS NULL)),
  CHECK (state NOT IN ('sending', 'done') OR (completed_at IS NOT NULL AND cursor = until)),
  CHECK (state <> 'done' OR finished_at IS NOT NULL)
);

CREATE INDEX campaigns_active ON campaigns (start_at, id) WHERE finished_at IS NULL;

CREATE UNIQUE INDEX campaigns_lane ON campaigns (lane) WHERE state = 'expanding';

CREATE TABLE cancellations (
  job_id text PRIMARY KEY,
  asked_at integer NOT NULL,
  reason text
) WITHOUT ROWID;

CREATE TABLE checkpoints (
  job_id text NOT NULL PRIMARY KEY,
  seq integer NOT NULL CHECK (seq >= 0),
  era integer NOT NULL CHECK (era >= 1),
  attempt integer NOT NULL CHECK (attempt >= 0),
  lease_id text,
  cursor text CHECK (length(CAST(cursor AS blob)) <= 16384),
  progress text CHECK (length(CAST(progress AS blob)) <= 2048),
  moved integer NOT NULL CHECK (moved IN (0, 1)),
  at integer NOT NULL,
  told_at integer NOT NULL,
  CHECK (seq > 0 OR cursor IS NULL AND lease_id IS NULL),
  CHECK (cursor IS NOT NULL OR NOT moved)
);

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

CREATE INDEX facts_at ON facts (at) WHERE last_seq IS NOT NULL;

CREATE UNIQUE INDEX facts_number ON facts (last_seq);

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

CREATE TABLE hint_generation (
  id integer PRIMARY KEY CHECK (id = 1),
  number integer NOT NULL CHECK (number >= 0),
  incarnation text NOT NULL
);

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

CREATE TABLE inboxes (
  recipient integer PRIMARY KEY,
  unread integer NOT NULL CHECK (unread >= 0),
  version integer NOT NULL CHECK (version >= unread)
);

CREATE TABLE installation (
  id integer PRIMARY KEY CHECK (id = 1),
  secret text NOT NULL CHECK (length(secret) = 64)
);

CREATE TABLE job_keys (
  key text PRIMARY KEY,
  job_id text NOT NULL,
  content_hash text NOT NULL,
  created_at integer NOT NULL,
  ended_as text CHECK (ended_as IN ('succeeded', 'failed', 'canceled', 'skipped', 'uncertain')),
  ended_at integer CHECK ((ended_as IS NULL) = (ended_at IS NULL))
) WITHOUT ROWID;

CREATE INDEX job_keys_created_at ON job_keys (created_at);

CREATE TABLE job_operations (
  id text NOT NULL PRIMARY KEY,
  action text NOT NULL CHECK (action IN ('cancel', 'retry')),
  filter text NOT NULL,
  reason text,
  total integer NOT NULL,
  at_least integer NOT NULL CHECK (at_least IN (0, 1)),
  done integer NOT NULL DEFAULT 0,
  skipped integer NOT NULL DEFAULT 0,
  cursor text NOT NULL DEFAULT 'ffffffff-ffff-ffff-ffff-ffffffffffff',
  created_at integer NOT NULL,
  finished_at integer,
  stopped integer NOT NULL DEFAULT 0 CHECK (stopped IN (0, 1))
);

CREATE INDEX job_operations_unfinished ON job_operations (id) WHERE finished_at IS NULL;

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
, trace text);

CREATE TABLE late_results (
  job_id text NOT NULL,
  attempt integer NOT NULL,
  outcome text NOT NULL,
  at integer NOT NULL,
  adopted integer NOT NULL CHECK (adopted IN (0, 1)),
  result text,
  PRIMARY KEY (job_id, attempt)
) WITHOUT ROWID;

CREATE TABLE leadership (
  id integer PRIMARY KEY CHECK (id = 1),
  node text,
  until integer NOT NULL
);

CREATE TABLE leased (
  job_id text PRIMARY KEY,
  lease_id text NOT NULL,
  attempt integer NOT NULL,
  tries integer NOT NULL,
  losses integer NOT NULL,
  run integer NOT NULL,
  since integer NOT NULL
) WITHOUT ROWID;

CREATE TABLE leases (
  id text PRIMARY KEY,
  worker_id text NOT NULL,
  queue text NOT NULL,
  until integer NOT NULL,
  claimed_at integer NOT NULL,
  open integer NOT NULL CHECK (open >= 0)
) WITHOUT ROWID;

CREATE INDEX leases_worker ON leases (worker_id);

CREATE TABLE markers (
  minute integer NOT NULL,
  kind text NOT NULL,
  n integer NOT NULL CHECK (n > 0),
  subject text,
  version text,
  PRIMARY KEY (minute, kind)
) WITHOUT ROWID;

CREATE TABLE nodes (
  id text NOT NULL PRIMARY KEY,
  name text NOT NULL,
  address text,
  version text NOT NULL,
  roles text NOT NULL,
  started_at integer NOT NULL,
  seen_at integer NOT NULL,
  clock_ahead_us integer,
  clock_bound_us integer CHECK (clock_bound_us >= 0),
  CHECK ((clock_ahead_us IS NULL) = (clock_bound_us IS NULL))
);

CREATE TABLE notifications (
  id text NOT NULL PRIMARY KEY,
  key text UNIQUE,
  content_hash text NOT NULL,
  sent text NOT NULL,
  created_at integer NOT NULL
) WITHOUT ROWID;

CREATE TABLE operations (
  id text NOT NULL PRIMARY KEY,
  action text NOT NULL CHECK (action IN ('retry', 'discard')),
  filter text NOT NULL,
  total integer NOT NULL,
  done integer NOT NULL DEFAULT 0,
  cursor text NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
  created_at integer NOT NULL,
  finished_at integer
, stopped integer NOT NULL DEFAULT 0 CHECK (stopped IN (0, 1)));

CREATE INDEX operations_unfinished ON operations (id) WHERE finished_at IS NULL;

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

CREATE TABLE queues (
  name text PRIMARY KEY,
  paused integer NOT NULL DEFAULT 0 CHECK (paused IN (0, 1)),
  max_running integer CHECK (max_running >= 1),
  rate real CHECK (rate > 0),
  tokens real NOT NULL DEFAULT 0,
  tokens_at integer NOT NULL DEFAULT 0,
  created_at integer NOT NULL
, worked_by text NOT NULL DEFAULT 'server' CHECK (worked_by IN ('server', 'remote'))) WITHOUT ROWID;

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

CREATE TABLE recipient_marks (
  mark text NOT NULL,
  number integer NOT NULL,
  PRIMARY KEY (mark, number)
) WITHOUT ROWID;

CREATE TABLE recipient_numbers (
  id integer PRIMARY KEY CHECK (id = 1),
  last integer NOT NULL CHECK (last >= 0)
);

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
  updated_at integer NOT NULL, locale text,
  CHECK ((lat IS NULL) = (lon IS NULL))
);

CREATE INDEX recipients_disabled ON recipients (number) WHERE NOT enabled;

CREATE TABLE redrives (
  job_id text NOT NULL,
  run integer NOT NULL,
  at integer NOT NULL,
  finished_at integer NOT NULL,
  queued_at integer,
  discarded_at integer,
  PRIMARY KEY (job_id, run)
) WITHOUT ROWID;

CREATE TABLE relocated_pages (
  part text NOT NULL,
  page integer NOT NULL CHECK (page >= 1),
  cursor text NOT NULL,
  n integer NOT NULL,
  PRIMARY KEY (part, page)
) WITHOUT ROWID;

CREATE TABLE relocation (
  id integer PRIMARY KEY CHECK (id = 1),
  relocation_id text NOT NULL,
  state text NOT NULL CHECK (state IN ('leaving', 'left', 'arriving', 'arrived')),
  peer text NOT NULL,
  installation text NOT NULL,
  target text NOT NULL,
  at integer NOT NULL
);

CREATE TABLE rollups (
  queue text NOT NULL,
  resolution text NOT NULL CHECK (resolution IN ('minute', 'hour')),
  span integer NOT NULL,
  state text NOT NULL,
  came integer NOT NULL CHECK (came >= 0),
  went integer NOT NULL CHECK (went >= 0),
  PRIMARY KEY (queue, resolution, span, state)
) WITHOUT ROWID;

CREATE INDEX rollups_span ON rollups (resolution, span);

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

CREATE TABLE schema_migrations (name text PRIMARY KEY, digest text NOT NULL, oldest_program integer NOT NULL);

CREATE TABLE sessions (
  digest text NOT NULL PRIMARY KEY CHECK (length(digest) = 64),
  user_id text NOT NULL,
  created_at integer NOT NULL,
  idle_until integer NOT NULL,
  ends_at integer NOT NULL,
  CHECK (ends_at >= created_at),
  CHECK (idle_until <= ends_at)
) WITHOUT ROWID;

CREATE INDEX sessions_idle_until ON sessions (idle_until);

CREATE INDEX sessions_user_id ON sessions (user_id);

CREATE TABLE set_up_tokens (
  id integer PRIMARY KEY CHECK (id = 1),
  digest text NOT NULL CHECK (length(digest) = 64),
  until integer NOT NULL
);

CREATE TABLE settlements (
  id integer PRIMARY KEY AUTOINCREMENT,
  worker_id text NOT NULL,
  leases text NOT NULL,
  claimed_at text NOT NULL,
  ended_at integer NOT NULL,
  CHECK (json_array_length(leases) = json_array_length(claimed_at))
);

CREATE INDEX settlements_ended_at ON settlements (ended_at);

CREATE TABLE staged_jobs (
  id text NOT NULL PRIMARY KEY,
  key text,
  job text NOT NULL CHECK (length(CAST(job AS blob)) <= 524288),
  at integer NOT NULL,
  refused text
);

CREATE UNIQUE INDEX staged_jobs_key ON staged_jobs (key) WHERE refused IS NULL;

CREATE INDEX staged_jobs_open ON staged_jobs (id) WHERE refused IS NULL;

CREATE TABLE stream (
  id integer PRIMARY KEY CHECK (id = 1),
  installation text NOT NULL,
  epoch integer NOT NULL CHECK (epoch >= 1),
  last_seq integer NOT NULL CHECK (last_seq >= 0)
);

CREATE TABLE successes (
  job_id text PRIMARY KEY,
  settlement_id integer NOT NULL,
  lease integer NOT NULL CHECK (lease >= 1),
  queued_at integer NOT NULL,
  started_at integer,
  result text
) WITHOUT ROWID;

CREATE TABLE users (
  id text NOT NULL PRIMARY KEY,
  name text NOT NULL UNIQUE CHECK (length(name) BETWEEN 1 AND 64),
  role text NOT NULL CHECK (role IN ('viewer', 'operator', 'sender', 'admin')),
  password text,
  disabled integer NOT NULL CHECK (disabled IN (0, 1)),
  created_at integer NOT NULL,
  signed_in_at integer,
  failures integer NOT NULL DEFAULT 0 CHECK (failures BETWEEN 0 AND 4294967295),
  retry_at integer
, identity text CHECK (length(identity) = 64), issuer text, subject text) WITHOUT ROWID;

CREATE UNIQUE INDEX users_identity ON users (identity);

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

CREATE TABLE waits (
  queue text NOT NULL,
  resolution text NOT NULL CHECK (resolution IN ('minute', 'hour')),
  span integer NOT NULL,
  bucket integer NOT NULL CHECK (bucket >= 0 AND bucket < 32),
  n integer NOT NULL CHECK (n > 0),
  PRIMARY KEY (queue, resolution, span, bucket)
) WITHOUT ROWID;

CREATE INDEX waits_span ON waits (resolution, span);

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
, remote text, drain integer NOT NULL DEFAULT 0 CHECK (drain IN (0, 1)));

CREATE VIEW batched AS
SELECT b.first AS batch, j.id AS job_id, b.queue, b.priority, b.run_at, b.expires_at, b.since
FROM ready_batches b
CROSS JOIN jobs j ON j.id >= b.first AND j.id <= b.last AND +j.run_at = b.run_at AND +j.queue = b.queue
  AND NOT EXISTS (SELECT 1 FROM finished f WHERE f.job_id = j.id);

CREATE VIEW held AS
SELECT h.job_id, h.lease_id, l.worker_id, l.queue, l.until, l.claimed_at, h.attempt, h.tries, h.losses, h.run, h.since
FROM leased h
JOIN leases l ON l.id = h.lease_id;

CREATE VIEW job_places AS
SELECT
  j.id, j.key, j.kind, j.queue,
  CASE WHEN s.job_id IS NOT NULL THEN 'succeeded' WHEN w.job_id IS NOT NULL THEN w.state WHEN r.job_id IS NOT NULL OR b.first IS NOT NULL THEN 'queued' WHEN f.job_id IS NOT NULL THEN f.state ELSE 'running' END AS state,
  f.reason, j.priority, j.payload,
  COALESCE(w.run_at, r.run_at, b.run_at, min(COALESCE((SELECT a.next_run_at FROM attempts a WHERE a.job_id = j.id AND a.next_run_at IS NOT NULL ORDER BY a.attempt DESC LIMIT 1), j.run_at), COALESCE(h.since, 9223372036854775807))) AS run_at,
  COALESCE(w.attempt, r.attempt, f.attempt, h.attempt, CASE WHEN s.job_id IS NOT NULL THEN 1 END, 0) AS attempt,
  COALESCE(w.tries, r.tries, f.tries, h.tries, CASE WHEN s.job_id IS NOT NULL THEN 1 END, 0) AS tries,
  j.max_attempts,
  COALESCE(w.losses, r.losses, f.losses, h.losses, 0) AS losses,
  COALESCE(w.run, r.run, f.run, h.run, 1) AS run,
  j.backoff, j.timeout_us, j.expires_at, j.delivery, j.tags,
  a.class, a.code, a.message,
  CASE WHEN s.job_id IS NOT NULL THEN s.result WHEN f.state = 'succeeded' THEN COALESCE(a.result, (SELECT t.result FROM late_results t WHERE t.job_id = j.id AND t.adopted ORDER BY t.attempt DESC LIMIT 1)) END AS result,
  j.created_at,
  COALESCE(w.since, r.since, b.since, f.finished_at, t.ended_at, l.claimed_at, j.created_at) AS updated_at,
  COALESCE(f.finished_at, t.ended_at) AS finished_at, l.worker_id, l.until, c.asked_at
FROM jobs j
LEFT JOIN successes s ON s.job_id = j.id
LEFT JOIN settlements t ON t.id = s.settlement_id
LEFT JOIN waiting w ON w.job_id = j.id
LEFT JOIN ready r ON r.job_id = j.id
LEFT JOIN finished f ON f.job_id = j.id
LEFT JOIN ready_batches b ON b.first = (SELECT max(x.first) FROM ready_batches x WHERE x.first <= j.id)
  AND j.id <= b.last AND b.run_at = j.run_at AND b.queue = j.queue AND f.job_id IS NULL
LEFT JOIN leased h ON h.job_id = j.id
LEFT JOIN leases l ON l.id = h.lease_id
LEFT JOIN cancellations c ON c.job_id = j.id
LEFT JOIN attempts a ON a.job_id = j.id AND a.attempt = (SELECT max(x.attempt) FROM attempts x WHERE x.job_id = j.id);

CREATE VIEW results AS
SELECT job_id, attempt, run, lease_id, worker_id, queued_at, claimed_at, started_at, ended_at, cancel_asked_at, outcome, state, reason,
  next_run_at, tries, losses, class, code, message, fingerprint, result
FROM attempts
UNION ALL
SELECT s.job_id, 1, 1, t.leases ->> (s.lease - 1), t.worker_id, s.queued_at, t.claimed_at ->> (s.lease - 1), s.started_at, t.ended_at, NULL, 'succeeded', 'succeeded', NULL,
  NULL, 1, 0, NULL, NULL, NULL, NULL, s.result
FROM successes s
JOIN settlements t ON t.id = s.settlement_id;
