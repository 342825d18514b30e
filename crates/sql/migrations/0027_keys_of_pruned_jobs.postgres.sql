-- Oldest program: 19
-- What a job ended as, and when, once it is forgotten and only its key is left.
ALTER TABLE job_keys ADD COLUMN ended_as text, ADD COLUMN ended_at bigint;
ALTER TABLE job_keys ADD CONSTRAINT job_keys_ended CHECK (
  (ended_as IS NULL) = (ended_at IS NULL) AND ended_as IN ('succeeded', 'failed', 'canceled', 'skipped', 'uncertain')) NOT VALID;
