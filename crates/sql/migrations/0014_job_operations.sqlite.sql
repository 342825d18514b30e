-- Oldest program: 1
-- Operations on the jobs of a state, beside those on dead letters, which an older program goes on with as well: it would take these for
-- some of them. And whether somebody has stopped one.
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
ALTER TABLE operations ADD COLUMN stopped integer NOT NULL DEFAULT 0 CHECK (stopped IN (0, 1));
