-- The oldest erasure that has not ended, with whom it is about and where it goes on.
SELECT id, done, created_at, finished_at, stage, recipient, addresses, cursor FROM erasures WHERE finished_at IS NULL ORDER BY id LIMIT 1
