-- Who is reached. The number is given once, in the order of commits: audiences are walked by it.
CREATE TABLE recipients (
  number bigint PRIMARY KEY,
  id text COLLATE "C" NOT NULL UNIQUE,
  platform text NOT NULL,
  lat double precision,
  lon double precision,
  topics text NOT NULL,
  enabled boolean NOT NULL,
  addresses text NOT NULL,
  time_zone text,
  dead text NOT NULL,
  marks text NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  CHECK ((lat IS NULL) = (lon IS NULL))
);
CREATE INDEX recipients_disabled ON recipients (number) WHERE NOT enabled;
-- What an audience can ask for, and whose it is: a platform, a topic, or a cell of the globe.
CREATE TABLE recipient_marks (
  mark text COLLATE "C" NOT NULL,
  number bigint NOT NULL,
  PRIMARY KEY (mark, number)
);
-- The highest number given so far. Its lock makes numbers commit in their order.
CREATE TABLE recipient_numbers (
  id smallint PRIMARY KEY CHECK (id = 1),
  last bigint NOT NULL CHECK (last >= 0)
);
INSERT INTO recipient_numbers (id, last) VALUES (1, 0);
