-- A campaign is one row, changed by each chunk: its cursor commits with the rows that the chunk made.
-- Its line is the queue that is called by its id: rate, pause and counters are kept there, once.
CREATE TABLE campaigns (
  id uuid PRIMARY KEY,
  key text COLLATE "C" UNIQUE,
  content_hash text NOT NULL,
  plan text NOT NULL,
  lane text COLLATE "C" NOT NULL,
  state text NOT NULL CHECK (state IN ('scheduled', 'expanding', 'sending', 'done', 'stopped', 'canceled')),
  why text,
  epoch bigint NOT NULL DEFAULT 0 CHECK (epoch >= 0),
  start_at bigint NOT NULL,
  cursor bigint NOT NULL DEFAULT 0 CHECK (cursor >= 0),
  until bigint CHECK (until >= cursor),
  expected bigint,
  expanded bigint NOT NULL DEFAULT 0 CHECK (expanded >= 0),
  items bigint NOT NULL DEFAULT 0,
  chunks bigint NOT NULL DEFAULT 0,
  holder uuid,
  held_until bigint,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  began_at bigint,
  completed_at bigint,
  finished_at bigint,
  CHECK ((holder IS NULL) = (held_until IS NULL)),
  CHECK (state <> 'expanding' OR (until IS NOT NULL AND completed_at IS NULL)),
  CHECK (state NOT IN ('sending', 'done') OR (completed_at IS NOT NULL AND cursor = until)),
  CHECK (state <> 'done' OR finished_at IS NOT NULL)
) WITH (fillfactor = 50);
-- One campaign of a lane expands at a time, whoever thinks otherwise.
CREATE UNIQUE INDEX campaigns_lane ON campaigns (lane) WHERE state = 'expanding';
CREATE INDEX campaigns_active ON campaigns (start_at, id) WHERE finished_at IS NULL;
