-- A campaign is one row, changed by each chunk: its cursor commits with the rows that the chunk made.
-- Its line is the queue that is called by its id: rate, pause and counters are kept there, once.
CREATE TABLE campaigns (
  id text NOT NULL PRIMARY KEY,
  key text UNIQUE,
  content_hash text NOT NULL,
  plan text NOT NULL,
  lane text NOT NULL,
  state text NOT NULL CHECK (state IN ('scheduled', 'expanding', 'sending', 'done', 'stopped', 'canceled')),
  why text,
  epoch integer NOT NULL DEFAULT 0 CHECK (epoch >= 0),
  start_at integer NOT NULL,
  cursor integer NOT NULL DEFAULT 0 CHECK (cursor >= 0),
  until integer CHECK (until >= cursor),
  expected integer,
  expanded integer NOT NULL DEFAULT 0 CHECK (expanded >= 0),
  items integer NOT NULL DEFAULT 0,
  chunks integer NOT NULL DEFAULT 0,
  holder text,
  held_until integer,
  created_at integer NOT NULL,
  updated_at integer NOT NULL,
  began_at integer,
  completed_at integer,
  finished_at integer,
  CHECK ((holder IS NULL) = (held_until IS NULL)),
  CHECK (state <> 'expanding' OR (until IS NOT NULL AND completed_at IS NULL)),
  CHECK (state NOT IN ('sending', 'done') OR (completed_at IS NOT NULL AND cursor = until)),
  CHECK (state <> 'done' OR finished_at IS NOT NULL)
);
-- One campaign of a lane expands at a time, whoever thinks otherwise.
CREATE UNIQUE INDEX campaigns_lane ON campaigns (lane) WHERE state = 'expanding';
CREATE INDEX campaigns_active ON campaigns (start_at, id) WHERE finished_at IS NULL;
