-- Oldest program: 19
-- Each step after 0019, and the generation of the oldest program that may run on what it makes. It is made before the steps are
-- applied, too, as it is where they are written down.
CREATE TABLE IF NOT EXISTS schema_steps (
  name text PRIMARY KEY,
  digest text NOT NULL,
  oldest_program integer NOT NULL
);
