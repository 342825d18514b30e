-- Numbers facts, in an order that is safe to follow, and folds them into the counters. The lock on
-- the one row of `stream`, held to the commit, is what makes it so; its `last_seq` is moved last, so
-- that until then "numbered above it" means "numbered by this turn". A start is
-- told as two facts of each job. Without `takes_apart` no text in them is read as JSON.
UPDATE stream SET last_seq = last_seq WHERE id = 1;
UPDATE facts
SET last_seq = (SELECT last_seq FROM stream) + b.upto
FROM (
  SELECT u.id, sum(u.told) OVER (ORDER BY u.id) AS upto
  FROM (SELECT id, CASE type WHEN 'job.started' THEN 2 * n ELSE n END AS told FROM facts WHERE last_seq IS NULL ORDER BY id LIMIT :limit) u
) b
WHERE facts.id = b.id;
{{count}}
INSERT INTO dead_letter_groups (fingerprint, kind, reason, class, code, message, sample_job, n, first_at, last_at)
SELECT d.fingerprint, max(j.kind), coalesce(max(d.reason), ''), coalesce(max(d.class), ''), coalesce(max(d.code), ''), coalesce(max(d.message), ''),
  max(d.job_id), count(*), min(d.at), max(d.at)
FROM (
{{dead_letter_facts}}
) d
JOIN jobs j ON j.id = d.job_id
WHERE d.fingerprint IS NOT NULL
GROUP BY d.fingerprint
ON CONFLICT (fingerprint) DO UPDATE
SET n = dead_letter_groups.n + excluded.n, last_at = max(dead_letter_groups.last_at, excluded.last_at),
  first_at = CASE WHEN dead_letter_groups.n > 0 THEN min(dead_letter_groups.first_at, excluded.first_at) ELSE excluded.first_at END,
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
SELECT b.last, b.last - b.before AS numbered
FROM (
  SELECT s.last_seq AS before, coalesce((SELECT max(f.last_seq) FROM facts f WHERE f.last_seq > s.last_seq), s.last_seq) AS last
  FROM stream s WHERE s.id = 1
) b;
UPDATE stream SET last_seq = coalesce((SELECT max(f.last_seq) FROM facts f WHERE f.last_seq > stream.last_seq), last_seq) WHERE id = 1
