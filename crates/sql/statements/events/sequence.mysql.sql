-- Numbers facts, in an order that is safe to follow, and folds them into the counters. The lock on
-- the one row of `stream`, held to the commit, is what makes it so; its `last_seq` is moved last, so
-- that until then "numbered above it" means "numbered by this turn". A start is
-- told as two facts of each job. Without `takes_apart` no text in them is read as JSON.
-- Those without a number stand in its index in the order of their ids, and are read from there without being sorted.
SET @before = (SELECT last_seq FROM stream WHERE id = 1 FOR UPDATE);
DELETE FROM numbering;
INSERT INTO numbering (id, upto)
SELECT u.id, sum(u.told) OVER (ORDER BY u.id)
FROM (SELECT id, CASE type WHEN 'job.started' THEN 2 * n ELSE n END AS told FROM facts FORCE INDEX (facts_number) WHERE last_seq IS NULL LIMIT :limit) u;
UPDATE numbering b STRAIGHT_JOIN facts FORCE INDEX (PRIMARY) ON facts.id = b.id SET facts.last_seq = @before + b.upto;
{{count}}
-- Nearly always there is none to be read, and those that are read are long.
SELECT count(*) > 0 INTO @has_letters FROM facts f WHERE f.last_seq > @before AND {{is_of_dead_letters}};
-- The row that a group grows by is told in the order in which it is written: what it was first is asked for before.
INSERT INTO dead_letter_groups (fingerprint, kind, reason, class, code, message, sample_job, n, first_at, last_at)
SELECT d.fingerprint, max(j.kind), coalesce(max(d.reason), ''), coalesce(max(d.class), ''), coalesce(max(d.code), ''), coalesce(max(d.message), ''),
  max(d.job_id), count(*), min(d.at), max(d.at)
FROM (
{{dead_letter_facts}}
) d
STRAIGHT_JOIN jobs j FORCE INDEX (PRIMARY) ON j.id = d.job_id
WHERE d.fingerprint IS NOT NULL
GROUP BY d.fingerprint
ORDER BY d.fingerprint
ON DUPLICATE KEY UPDATE
  first_at = CASE WHEN dead_letter_groups.n > 0 THEN least(dead_letter_groups.first_at, VALUES(first_at)) ELSE VALUES(first_at) END,
  n = dead_letter_groups.n + VALUES(n), last_at = greatest(dead_letter_groups.last_at, VALUES(last_at)),
  reason = VALUES(reason), class = VALUES(class), code = VALUES(code), message = VALUES(message), sample_job = VALUES(sample_job);
-- A long text among its columns would have a file made for it, although nothing is read.
UPDATE (
  SELECT i.was, count(*) AS n
  FROM facts f
  STRAIGHT_JOIN json_table(
    CASE WHEN :takes_apart = 1 AND json_valid(f.items) AND coalesce(json_valid(f.subjects), true) THEN f.items ELSE '[]' END,
    '$[*]' COLUMNS (was varchar(64) PATH '$.was')
  ) i
  WHERE @has_letters AND f.last_seq > @before AND {{is_of_dead_letters}} AND i.was IS NOT NULL
  GROUP BY i.was
) w
STRAIGHT_JOIN dead_letter_groups FORCE INDEX (PRIMARY) ON dead_letter_groups.fingerprint = w.was
SET dead_letter_groups.n = dead_letter_groups.n - w.n;
DELETE /*+ INDEX(g dead_letter_groups_n) */ /*M! g */ FROM dead_letter_groups g /*M! FORCE INDEX (dead_letter_groups_n) */ WHERE g.n <= 0;
UPDATE stream SET last_seq = coalesce((SELECT max(f.last_seq) FROM facts f WHERE f.last_seq > @before), last_seq) WHERE id = 1;
SELECT last_seq, last_seq - @before AS numbered FROM stream WHERE id = 1
