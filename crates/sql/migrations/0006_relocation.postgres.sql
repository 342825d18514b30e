-- Oldest program: 1
-- How this database stands to another that the installation moves to or from, if it does.
CREATE TABLE relocation (
  id smallint PRIMARY KEY CHECK (id = 1),
  relocation_id uuid NOT NULL,
  state text NOT NULL CHECK (state IN ('leaving', 'left', 'arriving', 'arrived')),
  peer text NOT NULL,
  installation uuid NOT NULL,
  target uuid NOT NULL,
  at bigint NOT NULL
);
-- How far a copy has come into this database: insert-only, so that no page is written twice. They go as it arrives.
CREATE TABLE relocated_pages (
  part text COLLATE "C" NOT NULL,
  page integer NOT NULL CHECK (page >= 1),
  cursor text NOT NULL,
  n integer NOT NULL,
  PRIMARY KEY (part, page)
);
