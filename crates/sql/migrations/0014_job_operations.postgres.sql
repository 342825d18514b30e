-- Oldest program: 1
-- Operations on the jobs of a state, beside those on dead letters, which an older program goes on with as well: it would take these for
-- some of them. And whether somebody has stopped one.
CREATE TABLE job_operations (
  id uuid PRIMARY KEY,
  action text NOT NULL CHECK (action IN ('cancel', 'retry')),
  filter text NOT NULL,
  reason text,
  total bigint NOT NULL,
  at_least boolean NOT NULL,
  done bigint NOT NULL DEFAULT 0,
  skipped bigint NOT NULL DEFAULT 0,
  cursor uuid NOT NULL DEFAULT 'ffffffff-ffff-ffff-ffff-ffffffffffff',
  created_at bigint NOT NULL,
  finished_at bigint,
  stopped boolean NOT NULL DEFAULT false
);
CREATE INDEX job_operations_unfinished ON job_operations (id) WHERE finished_at IS NULL;
ALTER TABLE operations ADD COLUMN stopped boolean NOT NULL DEFAULT false;
