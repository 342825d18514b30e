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
