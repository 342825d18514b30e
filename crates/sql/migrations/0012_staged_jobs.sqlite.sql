-- Oldest program: 1
-- Jobs that programs beside this one ask for in transactions of their own. A server enqueues each soon after that commit, under its id
-- here; what it refuses stays, with the reason, as long as a job would.
CREATE TABLE staged_jobs (
  id text NOT NULL PRIMARY KEY,
  key text,
  job text NOT NULL CHECK (length(CAST(job AS blob)) <= 524288),
  at integer NOT NULL,
  refused text
);
CREATE UNIQUE INDEX staged_jobs_key ON staged_jobs (key) WHERE refused IS NULL;
CREATE INDEX staged_jobs_open ON staged_jobs (id) WHERE refused IS NULL;
