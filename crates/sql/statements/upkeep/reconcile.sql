-- Where the counters of live states, and of uncertain jobs that are no deliveries of a campaign, differ from what they count, less the
-- facts that have no number yet. It is one look: what it
-- sees is of one moment, so it needs no lock, and holds nobody up.
WITH live AS (
  SELECT queue, state, sum(n) AS n
  FROM (
    SELECT queue, 'queued' AS state, count(*) AS n FROM ready {{in_disk_order}} GROUP BY queue
    UNION ALL SELECT queue, 'queued', sum({{left_in_batch}}) FROM ready_batches GROUP BY queue
    UNION ALL SELECT queue, state, count(*) FROM waiting {{in_disk_order}} GROUP BY queue, state
    UNION ALL SELECT queue, 'running', sum(open) FROM leases GROUP BY queue
    UNION ALL SELECT j.queue, f.state, count(*) FROM finished f JOIN jobs j ON j.id = f.job_id WHERE f.state = 'uncertain' GROUP BY j.queue, f.state
    UNION ALL SELECT queue, from_state, sum(n) FROM facts WHERE last_seq IS NULL AND queue IS NOT NULL GROUP BY queue, from_state
    UNION ALL SELECT queue, to_state, -sum(n) FROM facts WHERE last_seq IS NULL AND queue IS NOT NULL GROUP BY queue, to_state
  ) x
  WHERE {{is_reconciled}}
  GROUP BY queue, state
), compared AS (
  SELECT queue, state, 0 AS counted, n AS found FROM live
  UNION ALL SELECT queue, state, n, 0 FROM queue_counts WHERE {{is_reconciled}}
)
SELECT queue, state, CAST(sum(counted) AS {{whole}}), CAST(sum(found) AS {{whole}}), (SELECT last_seq FROM stream)
FROM compared
GROUP BY queue, state
HAVING sum(counted) <> sum(found)
ORDER BY queue, state
LIMIT :limit
