-- Which generation of hints there should be, and for which incarnation of the far end it was built.
CREATE TABLE hint_generation (
  id smallint PRIMARY KEY CHECK (id = 1),
  number bigint NOT NULL CHECK (number >= 0),
  incarnation text NOT NULL
);
INSERT INTO hint_generation (id, number, incarnation) VALUES (1, 0, '');
