-- Who is reached. The number is given once, in the order of commits: audiences are walked by it.
CREATE TABLE recipients (
  number integer PRIMARY KEY,
  id text NOT NULL UNIQUE,
  platform text NOT NULL,
  lat real,
  lon real,
  topics text NOT NULL,
  enabled integer NOT NULL CHECK (enabled IN (0, 1)),
  addresses text NOT NULL,
  time_zone text,
  dead text NOT NULL,
  marks text NOT NULL,
  created_at integer NOT NULL,
  updated_at integer NOT NULL,
  CHECK ((lat IS NULL) = (lon IS NULL))
);
CREATE INDEX recipients_disabled ON recipients (number) WHERE NOT enabled;
-- What an audience can ask for, and whose it is: a platform, a topic, or a cell of the globe.
CREATE TABLE recipient_marks (
  mark text NOT NULL,
  number integer NOT NULL,
  PRIMARY KEY (mark, number)
) WITHOUT ROWID;
-- The highest number given so far.
CREATE TABLE recipient_numbers (
  id integer PRIMARY KEY CHECK (id = 1),
  last integer NOT NULL CHECK (last >= 0)
);
INSERT INTO recipient_numbers (id, last) VALUES (1, 0);
