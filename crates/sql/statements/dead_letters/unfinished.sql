-- The oldest unfinished operations: one is worked on, and more are only for when it cannot be read.
SELECT {{operation}} FROM operations WHERE finished_at IS NULL AND {{picked id}} ORDER BY id LIMIT :limit
