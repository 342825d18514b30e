-- How many deliveries of a campaign there are, after one and up to another; and how many of them ended how without reaching
-- anybody, where the recipient is still there. The end of a delivery's id is the number of its recipient.
SELECT
  (SELECT count(*) FROM jobs j WHERE j.id > :after AND j.id <= :until),
  count(*) FILTER (WHERE f.state = 'failed'),
  count(*) FILTER (WHERE f.state = 'canceled'),
  count(*) FILTER (WHERE f.state = 'skipped'),
  count(*) FILTER (WHERE f.state = 'uncertain')
FROM recipients r CROSS JOIN finished f ON f.job_id = :stem || printf('%010x', r.number)
WHERE r.number > :after_number AND r.number <= :until_number
