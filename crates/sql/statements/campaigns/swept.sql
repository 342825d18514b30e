-- A canceled campaign has no delivery left that is not terminal. What is so of every row keeps each look in the index
-- that it begins somewhere in: any other would have to be asked for the rows as well.
UPDATE campaigns SET finished_at = :now, updated_at = :now
WHERE id = :id AND state = 'canceled' AND finished_at IS NULL
  AND NOT EXISTS (SELECT 1 FROM waiting w {{by_key}} WHERE w.job_id >= :lowest AND w.job_id <= :highest AND w.attempt >= 0)
  AND NOT EXISTS (SELECT 1 FROM ready r WHERE r.queue = :queue AND r.run >= 1)
  AND NOT EXISTS (SELECT 1 FROM ready_batches b WHERE b.queue = :queue AND b.n >= 1)
  AND NOT EXISTS (SELECT 1 FROM leases l WHERE l.queue = :queue)
