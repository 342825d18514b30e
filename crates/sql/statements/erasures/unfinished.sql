-- The oldest erasures that have not ended, with whom each is about and where it goes on.
SELECT id, done, created_at, finished_at, stage, recipient, addresses, cursor FROM erasures WHERE finished_at IS NULL ORDER BY id LIMIT :limit
