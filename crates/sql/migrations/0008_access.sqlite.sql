-- Oldest program: 1
-- People who sign in. How often a wrong password was given for one stands here, so that every node holds back.
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
) WITHOUT ROWID;

-- API keys. Of what proves one only the digest is kept. None is ever deleted: the audit log names them.
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

-- Browsers that somebody has signed in with, by the digest of their cookie's secret. They go as they end.
CREATE TABLE sessions (
  digest text NOT NULL PRIMARY KEY CHECK (length(digest) = 64),
  user_id text NOT NULL,
  created_at integer NOT NULL,
  idle_until integer NOT NULL,
  ends_at integer NOT NULL,
  CHECK (ends_at >= created_at),
  CHECK (idle_until <= ends_at)
) WITHOUT ROWID;
CREATE INDEX sessions_user_id ON sessions (user_id);
CREATE INDEX sessions_idle_until ON sessions (idle_until);

-- What the first user is added by: one at most, until somebody has used it.
CREATE TABLE set_up_tokens (
  id integer PRIMARY KEY CHECK (id = 1),
  digest text NOT NULL CHECK (length(digest) = 64),
  until integer NOT NULL
);

-- Who did what to what: insert-only; the oldest go by age. Each stands beside the change that it tells of.
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
CREATE INDEX audit_log_principal ON audit_log (principal, at, id);
CREATE INDEX audit_log_action ON audit_log (action, at, id);
CREATE INDEX audit_log_object ON audit_log (object, at, id);
