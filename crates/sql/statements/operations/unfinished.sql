-- The oldest unfinished operations on jobs: one is worked on, and more are only for when it cannot be read.
SELECT {{job_operation}} FROM job_operations WHERE finished_at IS NULL ORDER BY id LIMIT :limit
