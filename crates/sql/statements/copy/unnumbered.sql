-- Whether a fact has no number yet.
SELECT 1 FROM facts WHERE last_seq IS NULL LIMIT 1
