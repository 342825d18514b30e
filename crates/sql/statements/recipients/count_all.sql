-- How many recipients there are up to a number, and how many of them are disabled.
SELECT
  (SELECT count(*) FROM recipients WHERE number <= :until),
  (SELECT count(*) FROM recipients WHERE NOT enabled AND number <= :until)
