-- Oldest program: 1
-- Who works a queue off: the workers inside the servers, or remote ones. The first job that names it decides, for good.
ALTER TABLE queues ADD COLUMN worked_by varchar(16) NOT NULL DEFAULT 'server' CHECK (worked_by IN ('server', 'remote'));

-- What a remote worker says of itself, as JSON; and whether somebody has asked a worker to take nothing new.
ALTER TABLE workers ADD COLUMN remote longtext, ADD COLUMN drain boolean NOT NULL DEFAULT 0 CHECK (drain IN (0, 1));

-- How far a job has come by itself. It is no place: it never says where a job is. `seq` 0 is progress alone; `era` is 1, and one more
-- each time a person has the job begin anew. Its space comes back with the job's.
CREATE TABLE checkpoints (
  job_id varchar(36) NOT NULL PRIMARY KEY,
  seq bigint NOT NULL CHECK (seq >= 0),
  era bigint NOT NULL CHECK (era >= 1),
  attempt int NOT NULL CHECK (attempt >= 0),
  lease_id varchar(36),
  "cursor" longtext CHECK (octet_length("cursor") <= 16384),
  progress longtext CHECK (octet_length(progress) <= 2048),
  moved boolean NOT NULL CHECK (moved IN (0, 1)),
  at bigint NOT NULL,
  told_at bigint NOT NULL,
  CHECK (seq > 0 OR "cursor" IS NULL AND lease_id IS NULL),
  CHECK ("cursor" IS NOT NULL OR moved = 0)
);

-- What this installation is told apart by: one row, drawn when it is first asked for.
CREATE TABLE installation (
  id bigint PRIMARY KEY CHECK (id = 1),
  secret varchar(64) NOT NULL CHECK (char_length(secret) = 64)
);
