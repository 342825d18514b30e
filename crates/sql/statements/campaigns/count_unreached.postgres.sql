-- How many deliveries of a campaign there are, after one and up to another; and how many of them ended how without reaching
-- anybody, where the recipient is still there. The end of a delivery's id is the number of its recipient.
SELECT
  (SELECT count(*) FROM jobs j WHERE j.id > :after AND j.id <= :until),
  count(*) FILTER (WHERE f.state = 'failed'),
  count(*) FILTER (WHERE f.state = 'canceled'),
  count(*) FILTER (WHERE f.state = 'skipped'),
  count(*) FILTER (WHERE f.state = 'uncertain')
FROM finished f
WHERE f.job_id > :after AND f.job_id <= :until
  -- Not as the index of the others has it: that one is ordered by the states.
  AND coalesce(f.state, '') <> 'succeeded'
  AND EXISTS (SELECT 1 FROM recipients r WHERE r.number = ('x' || right(CAST(f.job_id AS text), 10))::bit(40)::bigint OFFSET 0)
