CREATE TABLE workers (
  id text NOT NULL PRIMARY KEY,
  name text NOT NULL,
  version text NOT NULL,
  slots text NOT NULL,
  running integer NOT NULL,
  draining integer NOT NULL CHECK (draining IN (0, 1)),
  started_at integer NOT NULL,
  seen_at integer NOT NULL,
  left_at integer
);

CREATE TABLE leadership (
  id integer PRIMARY KEY CHECK (id = 1),
  node text,
  until integer NOT NULL
);
INSERT INTO leadership (id, node, until) VALUES (1, NULL, 0);

CREATE TABLE operations (
  id text NOT NULL PRIMARY KEY,
  action text NOT NULL CHECK (action IN ('retry', 'discard')),
  filter text NOT NULL,
  total integer NOT NULL,
  done integer NOT NULL DEFAULT 0,
  cursor text NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
  created_at integer NOT NULL,
  finished_at integer
);
CREATE INDEX operations_unfinished ON operations (id) WHERE finished_at IS NULL;
