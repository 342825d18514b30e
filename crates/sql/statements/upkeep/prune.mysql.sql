-- Forgets terminal jobs that finished long ago, with all that is known of them. Their keys stay, and what they ended as beside them: the
-- same key means the same job for as long as its window is. A dead letter or an
-- uncertain job that goes is a fact, so that the counters follow; those of a campaign are its books, and stay. What successes had in common goes an hour after the last of them.
-- No bound is told for the ids of jobs of blocks but that of their row: one for all would have all before it read.
-- What has ended since the oldest lease was claimed stays, as in the other dialects, whose leases need it.
SELECT least(:cutoff, coalesce(min(claimed_at), :cutoff)) INTO @cutoff FROM leases;
DELETE FROM moving;
INSERT INTO moving (job_id, from_state, fingerprint, discarded_at, since)
SELECT f.job_id, f.state, f.fingerprint, f.discarded_at, f.finished_at
FROM finished f FORCE INDEX (PRIMARY)
WHERE f.job_id < :bound AND f.finished_at < @cutoff ORDER BY f.job_id LIMIT :limit
FOR UPDATE SKIP LOCKED;
UPDATE moving m STRAIGHT_JOIN jobs j FORCE INDEX (PRIMARY) ON j.id = m.job_id SET m.queue = j.queue;
SET @ends = (SELECT count(*) FROM moving);
INSERT INTO moving (job_id, from_state, since)
SELECT x.job_id, 'succeeded', x.ended_at
FROM (
  SELECT y.job_id, y.ended_at, row_number() OVER (ORDER BY y.job_id) AS place
  FROM (
    SELECT s.job_id, t.ended_at
    FROM successes s FORCE INDEX (PRIMARY) STRAIGHT_JOIN settlements t FORCE INDEX (PRIMARY) ON t.id = s.settlement_id
    WHERE s.job_id < :bound AND t.ended_at < @cutoff AND @ends < :limit ORDER BY s.job_id LIMIT :limit) y) x
WHERE x.place <= :limit - @ends;
SET @alone = (SELECT count(*) FROM moving);
INSERT INTO moving (job_id, from_state, since)
SELECT z.id, 'succeeded', z.ended_at
FROM (
  SELECT j.id, y.ended_at, row_number() OVER (ORDER BY j.id) AS place
  FROM (
    SELECT x.*, sum(bit_count(x.bits)) OVER (ORDER BY x.block, x.settlement_id, x.queued_at) - bit_count(x.bits) AS before_it
    FROM (
      SELECT s.block, s.settlement_id, s.queued_at, s.bits, s.first, s.last, t.ended_at
      FROM success_blocks s FORCE INDEX (PRIMARY) STRAIGHT_JOIN settlements t FORCE INDEX (PRIMARY) ON t.id = s.settlement_id
      WHERE s.block <= {{block :bound}} AND s.first < :bound AND t.ended_at < @cutoff AND @alone < :limit ORDER BY s.block LIMIT :limit) x) y
  STRAIGHT_JOIN jobs j FORCE INDEX (PRIMARY) ON j.id >= y.first AND j.id <= y.last AND (j.id < :bound) IS TRUE AND (y.bits & {{bit j.id}}) > 0
  WHERE y.before_it < :limit) z
WHERE z.place <= :limit - @alone;
SET @all = (SELECT count(*) FROM moving);
INSERT INTO facts (n, type, queue, from_state, at, subjects, items)
SELECT count(*), 'job.pruned', queue, CASE WHEN substr(queue, 1, 4) <> 'cmp_' THEN from_state END, :now, json_arrayagg(job_id),
  json_arrayagg(json_object('was', CASE WHEN discarded_at IS NULL THEN fingerprint END))
FROM moving WHERE from_state IN ('failed', 'uncertain') AND queue IS NOT NULL GROUP BY queue, from_state;
DELETE t FROM moving m STRAIGHT_JOIN finished t FORCE INDEX (PRIMARY) ON t.job_id = m.job_id;
DELETE t FROM moving m STRAIGHT_JOIN successes t FORCE INDEX (PRIMARY) ON t.job_id = m.job_id;
UPDATE (SELECT {{block job_id}} AS block, bit_or({{bit job_id}}) AS bits FROM moving WHERE from_state = 'succeeded' GROUP BY 1) m
STRAIGHT_JOIN success_blocks t FORCE INDEX (PRIMARY) ON t.block = m.block
SET t.bits = t.bits & ~m.bits;
DELETE t FROM (SELECT DISTINCT {{block job_id}} AS block FROM moving WHERE from_state = 'succeeded') m STRAIGHT_JOIN success_blocks t FORCE INDEX (PRIMARY) ON t.block = m.block
WHERE t.bits = 0;
DELETE FROM settlements WHERE ended_at < @cutoff - 3600000000 AND @all < :limit;
DELETE t FROM moving m STRAIGHT_JOIN attempts t FORCE INDEX (PRIMARY) ON t.job_id = m.job_id;
DELETE t FROM moving m STRAIGHT_JOIN late_results t FORCE INDEX (PRIMARY) ON t.job_id = m.job_id;
DELETE t FROM moving m STRAIGHT_JOIN redrives t FORCE INDEX (PRIMARY) ON t.job_id = m.job_id;
DELETE t FROM moving m STRAIGHT_JOIN cancellations t FORCE INDEX (PRIMARY) ON t.job_id = m.job_id;
DELETE t FROM moving m STRAIGHT_JOIN checkpoints t FORCE INDEX (PRIMARY) ON t.job_id = m.job_id;
UPDATE moving m STRAIGHT_JOIN jobs j FORCE INDEX (PRIMARY) ON j.id = m.job_id STRAIGHT_JOIN job_keys k FORCE INDEX (PRIMARY) ON k.key = j.key AND k.job_id = m.job_id
SET k.ended_as = m.from_state, k.ended_at = m.since;
DELETE t FROM moving m STRAIGHT_JOIN jobs t FORCE INDEX (PRIMARY) ON t.id = m.job_id;
SELECT count(*) FROM moving
