-- Oldest program: 1
-- Operations on the jobs of a state, beside those on dead letters, which an older program goes on with as well: it would take these for
-- some of them. And whether somebody has stopped one.
CREATE TABLE job_operations (
  id varchar(36) NOT NULL PRIMARY KEY,
  action varchar(16) NOT NULL CHECK (action IN ('cancel', 'retry')),
  filter longtext NOT NULL,
  reason longtext,
  total bigint NOT NULL,
  at_least boolean NOT NULL CHECK (at_least IN (0, 1)),
  done bigint NOT NULL DEFAULT 0,
  skipped bigint NOT NULL DEFAULT 0,
  "cursor" varchar(64) NOT NULL DEFAULT 'ffffffff-ffff-ffff-ffff-ffffffffffff',
  created_at bigint NOT NULL,
  finished_at bigint,
  stopped boolean NOT NULL DEFAULT 0 CHECK (stopped IN (0, 1))
);
CREATE INDEX job_operations_unfinished ON job_operations (finished_at, id);
ALTER TABLE operations ADD COLUMN stopped boolean NOT NULL DEFAULT 0 CHECK (stopped IN (0, 1));
