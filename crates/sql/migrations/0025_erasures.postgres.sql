-- Oldest program: 19
-- People who are erased, a row for each operation. As long as it is under way, the row is the mark of the person: what was begun
-- before it is written no more. What they are found by goes with its end; their number stays, which nobody else is given, for what
-- a node has in hand may come at any time.
CREATE TABLE erasures (
  id uuid NOT NULL PRIMARY KEY,
  number bigint UNIQUE,
  recipient text COLLATE "C" UNIQUE,
  quoted text,
  quoted_within text,
  addresses text,
  stage text,
  cursor text NOT NULL DEFAULT '',
  done bigint NOT NULL DEFAULT 0 CHECK (done >= 0),
  created_at bigint NOT NULL,
  finished_at bigint,
  CHECK (stage IN ('schedules', 'deliveries', 'campaigns', 'notifications', 'facts', 'events', 'dead_letters')),
  CHECK ((finished_at IS NULL) = (stage IS NOT NULL)),
  CHECK ((finished_at IS NULL) = (recipient IS NOT NULL AND quoted IS NOT NULL AND quoted_within IS NOT NULL AND addresses IS NOT NULL))
);
CREATE INDEX erasures_unfinished ON erasures (id) WHERE finished_at IS NULL;
