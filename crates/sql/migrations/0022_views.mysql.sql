-- Oldest program: 1
-- What stands in several tables, in one row. All views are made anew here, so that each is said once: a change is made in this file,
-- which then takes the next number. Whoever reads a view reads by
-- rights of their own, for whoever made it may be gone.
DROP VIEW IF EXISTS job_places;
DROP VIEW IF EXISTS held;
DROP VIEW IF EXISTS results;
DROP VIEW IF EXISTS batched;

-- Every attempt that has ended. MySQL refuses to look into what is no JSON: that settlement has no lease then, and the others are read.
CREATE SQL SECURITY INVOKER VIEW results AS
SELECT job_id, attempt, run, lease_id, worker_id, queued_at, claimed_at, started_at, ended_at, cancel_asked_at, outcome, state, reason,
  next_run_at, tries, losses, class, code, message, fingerprint, result
FROM attempts
UNION ALL
SELECT s.job_id, 1, 1, CAST(json_unquote(json_extract(CASE WHEN json_valid(t.leases) THEN t.leases END, concat('$[', s.lease - 1, ']'))) AS char(36)) COLLATE /*M! utf8mb4_nopad_bin */ /*!80000 utf8mb4_0900_bin */, t.worker_id, s.queued_at, CAST(json_extract(CASE WHEN json_valid(t.claimed_at) THEN t.claimed_at END, concat('$[', s.lease - 1, ']')) AS signed), s.started_at, t.ended_at, NULL, 'succeeded', 'succeeded', NULL,
  NULL, 1, 0, NULL, NULL, NULL, NULL, s.result
FROM successes s FORCE INDEX (PRIMARY)
JOIN settlements t ON t.id = s.settlement_id
UNION ALL
SELECT j.id, 1, 1, CAST(json_unquote(json_extract(CASE WHEN json_valid(t.leases) THEN t.leases END, '$[0]')) AS char(36)) COLLATE /*M! utf8mb4_nopad_bin */ /*!80000 utf8mb4_0900_bin */, t.worker_id, u.queued_at, CAST(json_extract(CASE WHEN json_valid(t.claimed_at) THEN t.claimed_at END, '$[0]') AS signed),
  CASE WHEN CAST(json_type(json_extract(CASE WHEN json_valid(u.started_ats) THEN u.started_ats END, concat('$[', ord(unhex(right(j.id, 2))) - ord(unhex(right(u.first, 2))), ']'))) AS char(16)) LIKE '%INTEGER' THEN CAST(json_extract(CASE WHEN json_valid(u.started_ats) THEN u.started_ats END, concat('$[', ord(unhex(right(j.id, 2))) - ord(unhex(right(u.first, 2))), ']')) AS signed) END,
  t.ended_at, NULL, 'succeeded', 'succeeded', NULL, NULL, 1, 0, NULL, NULL, NULL, NULL,
  CASE WHEN CAST(json_type(json_extract(CASE WHEN json_valid(u.results) THEN u.results END, concat('$[', ord(unhex(right(j.id, 2))) - ord(unhex(right(u.first, 2))), ']'))) AS char(16)) = 'STRING' THEN json_unquote(json_extract(u.results, concat('$[', ord(unhex(right(j.id, 2))) - ord(unhex(right(u.first, 2))), ']'))) COLLATE /*M! utf8mb4_nopad_bin */ /*!80000 utf8mb4_0900_bin */ END
FROM jobs j
STRAIGHT_JOIN success_blocks u FORCE INDEX (PRIMARY) ON u.block = concat(left(j.id, 34), ord(unhex(right(j.id, 2))) >> 6) AND (u.bits & (1 << (ord(unhex(right(j.id, 2))) & 63))) > 0
JOIN settlements t ON t.id = u.settlement_id;

-- Who stands in which batch: read by its bounds.
CREATE SQL SECURITY INVOKER VIEW batched AS
SELECT b.first AS batch, j.id AS job_id, b.queue, b.priority, b.run_at, b.expires_at, b.since
FROM ready_batches b
STRAIGHT_JOIN jobs j FORCE INDEX (PRIMARY) ON j.id >= b.first AND j.id <= b.last AND j.run_at = b.run_at AND j.queue = b.queue
  AND NOT EXISTS (SELECT 1 FROM finished f WHERE f.job_id = j.id);

-- What is leased and not recorded yet: job by job, and in blocks.
CREATE SQL SECURITY INVOKER VIEW held AS
SELECT h.job_id, h.lease_id, l.worker_id, l.queue, l.until, l.claimed_at, h.attempt, h.tries, h.losses, h.run, h.since
FROM leased h
JOIN leases l ON l.id = h.lease_id
UNION ALL
SELECT j.id, b.lease_id, l.worker_id, l.queue, l.until, l.claimed_at, 1, 1, 0, 1, b.since
FROM leased_blocks b
STRAIGHT_JOIN leases l FORCE INDEX (PRIMARY) ON l.id = b.lease_id
STRAIGHT_JOIN jobs j FORCE INDEX (PRIMARY) ON j.id >= b.first AND j.id <= b.last AND (b.bits & (1 << (ord(unhex(right(j.id, 2))) & 63))) > 0;

-- A job in one clear state, wherever its place is. Its batch is looked for among those of its queue and time only: the last that begins
-- before it would be looked for in a whole index, for a bound that is another row's opens no range in a subquery.
CREATE SQL SECURITY INVOKER VIEW job_places AS
SELECT
  j.id, j."key", j.kind, j.queue,
  CASE WHEN s.job_id IS NOT NULL OR u.block IS NOT NULL THEN 'succeeded' WHEN w.job_id IS NOT NULL THEN w.state WHEN r.job_id IS NOT NULL OR b.first IS NOT NULL THEN 'queued' WHEN f.job_id IS NOT NULL THEN f.state ELSE 'running' END AS state,
  f.reason, j.priority, j.payload,
  COALESCE(w.run_at, r.run_at, b.run_at, least(COALESCE((SELECT a.next_run_at FROM attempts a WHERE a.job_id = j.id AND a.next_run_at IS NOT NULL ORDER BY a.attempt DESC LIMIT 1), j.run_at), COALESCE(h.since, i.since, 9223372036854775807))) AS run_at,
  COALESCE(w.attempt, r.attempt, f.attempt, h.attempt, CASE WHEN s.job_id IS NOT NULL OR u.block IS NOT NULL OR i.block IS NOT NULL THEN 1 END, 0) AS attempt,
  COALESCE(w.tries, r.tries, f.tries, h.tries, CASE WHEN s.job_id IS NOT NULL OR u.block IS NOT NULL OR i.block IS NOT NULL THEN 1 END, 0) AS tries,
  j.max_attempts,
  COALESCE(w.losses, r.losses, f.losses, h.losses, 0) AS losses,
  COALESCE(w.run, r.run, f.run, h.run, 1) AS run,
  j.backoff, j.timeout_us, j.expires_at, j.delivery, j.tags,
  a.class, a.code, a.message,
  CASE WHEN s.job_id IS NOT NULL THEN s.result
    WHEN u.block IS NOT NULL THEN CASE WHEN CAST(json_type(json_extract(CASE WHEN json_valid(u.results) THEN u.results END, concat('$[', ord(unhex(right(j.id, 2))) - ord(unhex(right(u.first, 2))), ']'))) AS char(16)) = 'STRING' THEN json_unquote(json_extract(u.results, concat('$[', ord(unhex(right(j.id, 2))) - ord(unhex(right(u.first, 2))), ']'))) COLLATE /*M! utf8mb4_nopad_bin */ /*!80000 utf8mb4_0900_bin */ END
    WHEN f.state = 'succeeded' THEN COALESCE(a.result, (SELECT t.result FROM late_results t WHERE t.job_id = j.id AND t.adopted ORDER BY t.attempt DESC LIMIT 1)) END AS result,
  j.created_at,
  COALESCE(w.since, r.since, b.since, f.finished_at, t.ended_at, l.claimed_at, j.created_at) AS updated_at,
  COALESCE(f.finished_at, t.ended_at) AS finished_at, l.worker_id, l.until, c.asked_at
FROM jobs j
LEFT JOIN successes s ON s.job_id = j.id
LEFT JOIN success_blocks u FORCE INDEX (PRIMARY) ON u.block = concat(left(j.id, 34), ord(unhex(right(j.id, 2))) >> 6) AND (u.bits & (1 << (ord(unhex(right(j.id, 2))) & 63))) > 0
LEFT JOIN settlements t ON t.id = COALESCE(s.settlement_id, u.settlement_id)
LEFT JOIN waiting w ON w.job_id = j.id
LEFT JOIN ready r ON r.job_id = j.id
LEFT JOIN finished f ON f.job_id = j.id
LEFT JOIN ready_batches b FORCE INDEX (PRIMARY) ON b.queue = j.queue AND b.run_at = j.run_at AND b.first <= j.id AND b.last >= j.id AND f.job_id IS NULL
LEFT JOIN leased h ON h.job_id = j.id
LEFT JOIN leased_blocks i FORCE INDEX (leased_blocks_block) ON i.block = concat(left(j.id, 34), ord(unhex(right(j.id, 2))) >> 6) AND (i.bits & (1 << (ord(unhex(right(j.id, 2))) & 63))) > 0
LEFT JOIN leases l ON l.id = COALESCE(h.lease_id, i.lease_id)
LEFT JOIN cancellations c ON c.job_id = j.id
LEFT JOIN attempts a ON a.job_id = j.id AND a.attempt = (SELECT max(x.attempt) FROM attempts x WHERE x.job_id = j.id);
