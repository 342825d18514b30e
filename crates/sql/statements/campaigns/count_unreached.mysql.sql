-- How many deliveries of a campaign there are, after one and up to another; and how many of them ended how without reaching
-- anybody, where the recipient is still there. The end of a delivery's id is the number of its recipient.
SELECT
  (SELECT count(*) FROM jobs j WHERE j.id > :after AND j.id <= :until),
  count(CASE WHEN f.state = 'failed' THEN 1 END),
  count(CASE WHEN f.state = 'canceled' THEN 1 END),
  count(CASE WHEN f.state = 'skipped' THEN 1 END),
  count(CASE WHEN f.state = 'uncertain' THEN 1 END)
FROM finished f FORCE INDEX (PRIMARY)
STRAIGHT_JOIN recipients r ON r.number = CAST(conv(right(f.job_id, 10), 16, 10) AS signed)
WHERE f.job_id > :after AND f.job_id <= :until AND f.state <> 'succeeded'
