-- Oldest program: 1
-- Who is there: every process of Baton, with a worker or without, and how far its machine's clock was from this database's when it
-- last said so.
CREATE TABLE nodes (
  id text NOT NULL PRIMARY KEY,
  name text NOT NULL,
  address text,
  version text NOT NULL,
  roles text NOT NULL,
  started_at integer NOT NULL,
  seen_at integer NOT NULL,
  clock_ahead_us integer,
  clock_bound_us integer CHECK (clock_bound_us >= 0),
  CHECK ((clock_ahead_us IS NULL) = (clock_bound_us IS NULL))
);
