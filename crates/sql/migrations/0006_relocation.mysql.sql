-- Oldest program: 1
-- How this database stands to another that the installation moves to or from, if it does.
CREATE TABLE relocation (
  id bigint PRIMARY KEY CHECK (id = 1),
  relocation_id varchar(36) NOT NULL,
  state varchar(16) NOT NULL CHECK (state IN ('leaving', 'left', 'arriving', 'arrived')),
  peer longtext NOT NULL,
  installation varchar(36) NOT NULL,
  target varchar(36) NOT NULL,
  at bigint NOT NULL
);
-- How far a copy has come into this database: insert-only, so that no page is written twice. They go as it arrives.
CREATE TABLE relocated_pages (
  part varchar(64) NOT NULL,
  page int NOT NULL CHECK (page >= 1),
  "cursor" longtext NOT NULL,
  n int NOT NULL,
  PRIMARY KEY (part, page)
);
