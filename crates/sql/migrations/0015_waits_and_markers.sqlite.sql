-- Oldest program: 1
-- How many jobs waited for about how long before they were claimed, span by span, and what happened meanwhile; what pictures are drawn from.
-- A queue without a name is all of them.
CREATE TABLE waits (
  queue text NOT NULL,
  resolution text NOT NULL CHECK (resolution IN ('minute', 'hour')),
  span integer NOT NULL,
  bucket integer NOT NULL CHECK (bucket >= 0 AND bucket < 32),
  n integer NOT NULL CHECK (n > 0),
  PRIMARY KEY (queue, resolution, span, bucket)
) WITHOUT ROWID;
CREATE INDEX waits_span ON waits (resolution, span);
CREATE TABLE markers (
  minute integer NOT NULL,
  kind text NOT NULL,
  n integer NOT NULL CHECK (n > 0),
  subject text,
  version text,
  PRIMARY KEY (minute, kind)
) WITHOUT ROWID;
