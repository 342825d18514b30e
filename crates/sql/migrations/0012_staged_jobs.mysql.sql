-- Oldest program: 1
-- Jobs that programs beside this one ask for in transactions of their own. A server enqueues each soon after that commit, under its id
-- here; what it refuses stays, with the reason, as long as a job would.
CREATE TABLE staged_jobs (
  id varchar(36) NOT NULL PRIMARY KEY,
  "key" varchar(512),
  job longtext NOT NULL CHECK (octet_length(job) <= 524288),
  at bigint NOT NULL,
  refused longtext
);
