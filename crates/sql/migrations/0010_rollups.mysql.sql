-- Oldest program: 1
-- How many jobs came to each state and went from it, span by span; what pictures are drawn from. A queue without a name is all of them.
CREATE TABLE rollups (
  queue varchar(255) NOT NULL,
  resolution varchar(16) NOT NULL CHECK (resolution IN ('minute', 'hour')),
  span bigint NOT NULL,
  state varchar(16) NOT NULL,
  came bigint NOT NULL CHECK (came >= 0),
  went bigint NOT NULL CHECK (went >= 0),
  PRIMARY KEY (queue, resolution, span, state)
);
CREATE INDEX rollups_span ON rollups (resolution, span);
