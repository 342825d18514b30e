-- What a script of the writer passes from statement to statement.
CREATE TEMP TABLE IF NOT EXISTS moving (
  job_id text PRIMARY KEY, from_state text, queue text, priority integer, run_at integer, expires_at integer, since integer,
  attempt integer, tries integer, losses integer, run integer, fingerprint text, finished_at integer, discarded_at integer,
  lease_id text, kind text
);
CREATE TEMP TABLE IF NOT EXISTS settling (
  job_id text PRIMARY KEY, lease_id text, queue text, worker_id text, claimed_at integer, queued_at integer, started_at integer,
  attempt integer, run integer, tries integer, losses integer, outcome text, state text, reason text, run_at integer,
  class text, code text, message text, fingerprint text, result text, cancel_asked_at integer, place integer
);
CREATE TEMP TABLE IF NOT EXISTS claiming (
  job_id text, priority integer, run_at integer, expires_at integer, since integer, attempt integer, tries integer, losses integer,
  run integer, batch text
);
CREATE TEMP TABLE IF NOT EXISTS succeeding (
  job_id text, lease_id text, place integer, queued_at integer, started_at integer, result text
);
CREATE TEMP TABLE IF NOT EXISTS putting (
  id text PRIMARY KEY, nth integer, platform text, lat real, lon real, topics text, enabled integer, addresses text,
  time_zone text, locale text, marks text, number integer, old_marks text, is_changed integer
);
CREATE TEMP TABLE IF NOT EXISTS posting (
  id text PRIMARY KEY, nth integer, number integer, recipient text, title text, body text, data text
);
