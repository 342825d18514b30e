-- Oldest program: 19
-- What a job ended as, and when, once it is forgotten and only its key is left.
ALTER TABLE job_keys ADD COLUMN ended_as text CHECK (ended_as IN ('succeeded', 'failed', 'canceled', 'skipped', 'uncertain'));
ALTER TABLE job_keys ADD COLUMN ended_at integer CHECK ((ended_as IS NULL) = (ended_at IS NULL));
