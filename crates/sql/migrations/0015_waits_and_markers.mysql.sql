-- Oldest program: 1
-- How many jobs waited for about how long before they were claimed, span by span, and what happened meanwhile; what pictures are drawn from.
-- A queue without a name is all of them.
CREATE TABLE waits (
  queue varchar(255) NOT NULL,
  resolution varchar(16) NOT NULL CHECK (resolution IN ('minute', 'hour')),
  span bigint NOT NULL,
  bucket bigint NOT NULL CHECK (bucket >= 0 AND bucket < 32),
  n bigint NOT NULL CHECK (n > 0),
  PRIMARY KEY (queue, resolution, span, bucket)
);
CREATE INDEX waits_span ON waits (resolution, span);
CREATE TABLE markers (
  minute bigint NOT NULL,
  kind varchar(64) NOT NULL,
  n bigint NOT NULL CHECK (n > 0),
  subject longtext,
  version longtext,
  PRIMARY KEY (minute, kind)
);
