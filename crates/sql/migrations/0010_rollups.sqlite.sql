-- Oldest program: 1
-- How many jobs came to each state and went from it, span by span; what pictures are drawn from. A queue without a name is all of them.
CREATE TABLE rollups (
  queue text NOT NULL,
  resolution text NOT NULL CHECK (resolution IN ('minute', 'hour')),
  span integer NOT NULL,
  state text NOT NULL,
  came integer NOT NULL CHECK (came >= 0),
  went integer NOT NULL CHECK (went >= 0),
  PRIMARY KEY (queue, resolution, span, state)
) WITHOUT ROWID;
CREATE INDEX rollups_span ON rollups (resolution, span);
