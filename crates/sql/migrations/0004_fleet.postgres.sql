CREATE TABLE workers (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  version text NOT NULL,
  slots text NOT NULL,
  running integer NOT NULL,
  draining boolean NOT NULL,
  started_at bigint NOT NULL,
  seen_at bigint NOT NULL,
  left_at bigint
);

CREATE TABLE leadership (
  id smallint PRIMARY KEY CHECK (id = 1),
  node uuid,
  until bigint NOT NULL
);
INSERT INTO leadership (id, node, until) VALUES (1, NULL, 0);

CREATE TABLE operations (
  id uuid PRIMARY KEY,
  action text NOT NULL CHECK (action IN ('retry', 'discard')),
  filter text NOT NULL,
  total bigint NOT NULL,
  done bigint NOT NULL DEFAULT 0,
  cursor uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
  created_at bigint NOT NULL,
  finished_at bigint
);
CREATE INDEX operations_unfinished ON operations (id) WHERE finished_at IS NULL;
