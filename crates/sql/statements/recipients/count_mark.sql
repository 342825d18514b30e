-- How many recipients have a mark, up to a number, and how many of them are disabled.
SELECT
  (SELECT count(*) FROM recipient_marks WHERE mark = :mark AND number <= :until),
  (SELECT count(*) FROM recipients r
   WHERE {{is_off r.enabled}} AND r.number <= :until
     AND (SELECT count(*) FROM recipient_marks m WHERE m.mark = :mark AND m.number = r.number) > 0)
