-- The next groups of dead letters, and whether the sample of each was a delivery to somebody who was erased.
SELECT fingerprint, {{as_text message}}, CASE WHEN EXISTS (SELECT 1 FROM jobs j WHERE j.id = g.sample_job AND j.payload = :erased {{row_by_row}}) THEN 1 ELSE 0 END
FROM dead_letter_groups g WHERE fingerprint > :cursor ORDER BY fingerprint LIMIT :limit
