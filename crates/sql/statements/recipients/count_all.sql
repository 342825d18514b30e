-- How many recipients there are up to a number, and how many of them are disabled.
SELECT
  (SELECT count(*) FROM recipients WHERE number <= :until),
  (SELECT count(*) FROM recipients WHERE {{is_off enabled}} AND number <= :until)
