-- Numbers facts, in an order that is safe to follow, and folds them into the counters. The lock on
-- the one row of `stream`, held to the commit, is what makes it so; its `last_seq` is moved last, so
-- that until then "numbered above it" means "numbered by this turn". A start is
-- told as two facts of each job. Without `takes_apart` no text in them is read as JSON.
SELECT last_seq FROM stream WHERE id = 1 FOR UPDATE;
-- Found by their addresses, which nobody changes but who holds the lock, and without an `IS NULL` that an index could
-- serve: statistics of a quiet moment say that nothing is unnumbered, and had the whole walk made again for each fact.
UPDATE facts
SET last_seq = (SELECT last_seq FROM stream) + b.upto
FROM (
  SELECT u.place, sum(u.told) OVER (ORDER BY u.id) AS upto
  FROM (SELECT ctid AS place, id, CASE type WHEN 'job.started' THEN 2 * n ELSE n END AS told FROM facts WHERE last_seq IS NULL ORDER BY id LIMIT :limit) u
) b
WHERE facts.ctid = b.place AND coalesce(facts.last_seq, 0) = 0;
{{count}}
INSERT INTO dead_letter_groups (fingerprint, kind, reason, class, code, message, sample_job, n, first_at, last_at)
SELECT d.fingerprint, max(j.kind), coalesce(max(d.reason), ''), coalesce(max(d.class), ''), coalesce(max(d.code), ''), coalesce(max(d.message), ''),
  max(d.job_id::text)::uuid, count(*), min(d.at), max(d.at)
FROM (
{{dead_letter_facts}}
) d
CROSS JOIN LATERAL (SELECT jobs.kind FROM jobs WHERE jobs.id = d.job_id OFFSET 0) j
WHERE d.fingerprint IS NOT NULL
GROUP BY d.fingerprint
ON CONFLICT (fingerprint) DO UPDATE
SET n = dead_letter_groups.n + excluded.n, last_at = greatest(dead_letter_groups.last_at, excluded.last_at),
  first_at = CASE WHEN dead_letter_groups.n > 0 THEN least(dead_letter_groups.first_at, excluded.first_at) ELSE excluded.first_at END,
  reason = excluded.reason, class = excluded.class, code = excluded.code, message = excluded.message, sample_job = excluded.sample_job;
UPDATE dead_letter_groups
SET n = dead_letter_groups.n - w.n
FROM (
  SELECT d.was, count(*) AS n
  FROM (
{{dead_letter_facts}}
  ) d
  WHERE d.was IS NOT NULL
  GROUP BY d.was
) w
WHERE dead_letter_groups.fingerprint = w.was;
DELETE FROM dead_letter_groups WHERE n <= 0;
UPDATE stream SET last_seq = b.last
FROM (
  SELECT s.id, s.last_seq AS before, coalesce((SELECT max(f.last_seq) FROM facts f WHERE f.last_seq > s.last_seq), s.last_seq) AS last
  FROM stream s WHERE s.id = 1
) b
WHERE stream.id = b.id
RETURNING b.last, b.last - b.before AS numbered
