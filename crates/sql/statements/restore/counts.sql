-- What a copy holds: jobs, those that had not ended, those of them that stand in line to be called at most once, recipients, events.
SELECT (SELECT count(*) FROM jobs),
  (SELECT count(*) FROM waiting) + (SELECT count(*) FROM ready) + (SELECT coalesce(sum({{left_in_batch}}), 0)::bigint FROM ready_batches) + (SELECT coalesce(sum(open), 0)::bigint FROM leases),
  (SELECT count(*) FROM waiting p JOIN jobs j ON j.id = p.job_id WHERE j.delivery = 'at_most_once')
    + (SELECT count(*) FROM ready p JOIN jobs j ON j.id = p.job_id WHERE j.delivery = 'at_most_once')
    + (SELECT count(*) FROM {{batched}} p JOIN jobs j ON j.id = p.job_id WHERE j.delivery = 'at_most_once'),
  (SELECT count(*) FROM recipients),
  (SELECT last_seq FROM stream WHERE id = 1)
