-- The next groups of dead letters, and whether the sample of each was a delivery to somebody who was erased.
SELECT fingerprint, CAST(message AS text), EXISTS (SELECT 1 FROM jobs j WHERE j.id = g.sample_job AND j.payload = :erased)
FROM dead_letter_groups g WHERE fingerprint > :cursor ORDER BY fingerprint LIMIT :limit
