-- Oldest program: 1
-- How this database stands to another that the installation moves to or from, if it does.
CREATE TABLE relocation (
  id integer PRIMARY KEY CHECK (id = 1),
  relocation_id text NOT NULL,
  state text NOT NULL CHECK (state IN ('leaving', 'left', 'arriving', 'arrived')),
  peer text NOT NULL,
  installation text NOT NULL,
  target text NOT NULL,
  at integer NOT NULL
);
-- How far a copy has come into this database: insert-only, so that no page is written twice. They go as it arrives.
CREATE TABLE relocated_pages (
  part text NOT NULL,
  page integer NOT NULL CHECK (page >= 1),
  cursor text NOT NULL,
  n integer NOT NULL,
  PRIMARY KEY (part, page)
) WITHOUT ROWID;
