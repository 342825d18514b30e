-- Oldest program: 1, finalized: 21
-- Jobs that were made together have ids one after the other. The 64 ids that differ in their last six bits only are a block: what many jobs of
-- one have in common is one row, with a bit for each of them. Nobody writes such a row before the step is finalized: a program that does not
-- know them would wait for such jobs for ever.

-- Jobs that were claimed from batches and of which nothing else has become anything: a row instead of one in `leased` for each. The bit of
-- one that is settled goes, and the row with its lease.
CREATE TABLE leased_blocks (
  lease_id varchar(36) NOT NULL,
  block varchar(35) NOT NULL,
  since bigint NOT NULL,
  bits bigint unsigned NOT NULL,
  first varchar(36) NOT NULL,
  last varchar(36) NOT NULL,
  PRIMARY KEY (lease_id, block, since),
  KEY leased_blocks_block (block),
  CHECK (first <= last AND left(first, 34) = left(block, 34) AND left(last, 34) = left(block, 34))
);

-- A place: the ends of jobs of a block that succeeded together, by first attempts under one lease. Insert-only, until its jobs are
-- forgotten. When each of them started, and what it had to say, stands in the order of ids from the first on, with gaps for the ids between them.
CREATE TABLE success_blocks (
  block varchar(35) NOT NULL,
  settlement_id bigint NOT NULL,
  queued_at bigint NOT NULL,
  bits bigint unsigned NOT NULL,
  first varchar(36) NOT NULL,
  last varchar(36) NOT NULL,
  started_ats longtext NOT NULL,
  results longtext,
  PRIMARY KEY (block, settlement_id, queued_at),
  CHECK (first <= last AND left(first, 34) = left(block, 34) AND left(last, 34) = left(block, 34)),
  CHECK (json_valid(started_ats)),
  CHECK (results IS NULL OR json_valid(results))
);
