-- Oldest program: 1
-- Who works a queue off: the workers inside the servers, or remote ones. The first job that names it decides, for good.
ALTER TABLE queues ADD COLUMN worked_by text NOT NULL DEFAULT 'server' CHECK (worked_by IN ('server', 'remote'));

-- What a remote worker says of itself, as JSON; and whether somebody has asked a worker to take nothing new.
ALTER TABLE workers ADD COLUMN remote text, ADD COLUMN drain boolean NOT NULL DEFAULT false;

-- How far a job has come by itself. It is no place: it never says where a job is. `seq` 0 is progress alone; `era` is 1, and one more
-- each time a person has the job begin anew. Its space comes back with the job's.
CREATE TABLE checkpoints (
  job_id uuid PRIMARY KEY,
  seq bigint NOT NULL CHECK (seq >= 0),
  era bigint NOT NULL CHECK (era >= 1),
  attempt integer NOT NULL CHECK (attempt >= 0),
  lease_id uuid,
  cursor text CHECK (octet_length(cursor) <= 16384),
  progress text CHECK (octet_length(progress) <= 2048),
  moved boolean NOT NULL,
  at bigint NOT NULL,
  told_at bigint NOT NULL,
  CHECK (seq > 0 OR cursor IS NULL AND lease_id IS NULL),
  CHECK (cursor IS NOT NULL OR NOT moved)
) WITH (fillfactor = 50);

-- What this installation is told apart by: one row, drawn when it is first asked for.
CREATE TABLE installation (
  id smallint PRIMARY KEY CHECK (id = 1),
  secret text COLLATE "C" NOT NULL CHECK (length(secret) = 64)
);
