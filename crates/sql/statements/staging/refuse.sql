-- Says why a staged job cannot be had.
UPDATE staged_jobs SET refused = :why WHERE id = :id AND refused IS NULL
