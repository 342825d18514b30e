-- Forgets operations on jobs that ended long ago; one is begun before it ends, and ids carry their time.
DELETE FROM job_operations WHERE id IN (SELECT id FROM job_operations WHERE id < :bound AND finished_at < :cutoff ORDER BY id LIMIT :limit) RETURNING id
