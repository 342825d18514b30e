-- Oldest program: 1
-- Who is there: every process of Baton, with a worker or without, and how far its machine's clock was from this database's when it
-- last said so.
CREATE TABLE nodes (
  id varchar(36) NOT NULL PRIMARY KEY,
  name varchar(255) NOT NULL,
  address longtext,
  version varchar(64) NOT NULL,
  roles longtext NOT NULL,
  started_at bigint NOT NULL,
  seen_at bigint NOT NULL,
  clock_ahead_us bigint,
  clock_bound_us bigint CHECK (clock_bound_us >= 0),
  CHECK ((clock_ahead_us IS NULL) = (clock_bound_us IS NULL))
);
