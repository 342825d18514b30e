-- Forgets terminal jobs that finished long ago, with all that is known of them. Their keys stay, and what they ended as beside them: the
-- same key means the same job for as long as its window is. A dead letter or an
-- uncertain job that goes is a fact, so that the counters follow; those of a campaign are its books, and stay. What successes had in common goes an hour after the last of them.
-- What a lease held is told by the results of its jobs: they stay for as long as any lease that could name them.
WITH oldest AS MATERIALIZED (
  SELECT least(:cutoff::bigint, min(claimed_at)) AS cutoff FROM leases
), pruned_ends AS (
  DELETE FROM finished
  WHERE job_id = ANY (ARRAY(
    SELECT job_id FROM finished WHERE job_id < :bound AND finished_at < (SELECT cutoff FROM oldest) ORDER BY job_id LIMIT :limit FOR UPDATE SKIP LOCKED))
  RETURNING job_id, state, fingerprint, discarded_at, finished_at AS at
), pruned_successes AS (
  DELETE FROM successes
  WHERE job_id = ANY (ARRAY(
    SELECT s.job_id FROM successes s JOIN settlements t ON t.id = s.settlement_id
    WHERE s.job_id < :bound AND t.ended_at < (SELECT cutoff FROM oldest) ORDER BY s.job_id LIMIT :limit - (SELECT count(*) FROM pruned_ends) FOR UPDATE OF s SKIP LOCKED))
  RETURNING job_id, (SELECT t.ended_at FROM settlements t WHERE t.id = settlement_id) AS at
), pruned_batches AS (
  -- Whole ones, as many as there is room for; one that is larger than any room goes alone.
  DELETE FROM success_batches
  WHERE first = ANY (ARRAY(
    SELECT y.first
    FROM (
      SELECT x.first, x.n, sum(x.n) OVER (ORDER BY x.first) AS upto
      FROM (SELECT first, n FROM success_batches WHERE first < :bound AND ended_at < (SELECT cutoff FROM oldest) ORDER BY first LIMIT 100 FOR UPDATE SKIP LOCKED) x) y
    WHERE y.upto <= :limit - (SELECT count(*) FROM pruned_ends) - (SELECT count(*) FROM pruned_successes)
      OR (y.upto = y.n AND NOT EXISTS (SELECT 1 FROM pruned_ends) AND NOT EXISTS (SELECT 1 FROM pruned_successes))))
  RETURNING jobs, ended_at AS at
), pruned AS (
  SELECT job_id, state, at FROM pruned_ends UNION ALL SELECT job_id, 'succeeded', at FROM pruned_successes UNION ALL SELECT unnest(w.jobs), 'succeeded', at FROM pruned_batches w
), pruned_settlements AS (
  DELETE FROM settlements WHERE ended_at < (SELECT cutoff FROM oldest) - 3600000000 AND (SELECT count(*) FROM pruned) < :limit
), told AS (
  INSERT INTO facts (n, type, queue, from_state, at, subjects, items)
  SELECT count(*), 'job.pruned', j.queue, CASE WHEN substr(j.queue, 1, 4) <> 'cmp_' THEN e.state END, :now, array_agg(e.job_id),
    json_agg(json_build_object('was', CASE WHEN e.discarded_at IS NULL THEN e.fingerprint END))::text
  FROM pruned_ends e JOIN jobs j ON j.id = e.job_id
  WHERE e.state IN ('failed', 'uncertain')
  GROUP BY j.queue, e.state
), pruned_attempts AS (DELETE FROM attempts WHERE job_id = ANY (ARRAY(SELECT job_id FROM pruned)))
, pruned_late_results AS (DELETE FROM late_results WHERE job_id = ANY (ARRAY(SELECT job_id FROM pruned)))
, pruned_redrives AS (DELETE FROM redrives WHERE job_id = ANY (ARRAY(SELECT job_id FROM pruned)))
, pruned_cancellations AS (DELETE FROM cancellations WHERE job_id = ANY (ARRAY(SELECT job_id FROM pruned)))
, pruned_checkpoints AS (DELETE FROM checkpoints WHERE job_id = ANY (ARRAY(SELECT job_id FROM pruned)))
, ends_of_keys AS (
  SELECT m.job_id, m.state, m.at, (SELECT j.key FROM jobs j WHERE j.id = m.job_id) AS key FROM pruned m
), kept_keys AS (
  UPDATE job_keys SET ended_as = g.state, ended_at = g.at FROM ends_of_keys g WHERE job_keys.key = g.key AND job_keys.job_id = g.job_id
), pruned_jobs AS (DELETE FROM jobs WHERE id = ANY (ARRAY(SELECT job_id FROM pruned)))
SELECT count(*) FROM pruned m
