-- As what JSON names those who are being erased, and JSON within JSON.
SELECT id, quoted, quoted_within FROM erasures WHERE finished_at IS NULL
