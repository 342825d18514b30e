-- Forgets terminal jobs that finished long ago, with all that is known of them. Their keys stay, and what they ended as beside them: the
-- same key means the same job for as long as its window is. A dead letter or an
-- uncertain job that goes is a fact, so that the counters follow; those of a campaign are its books, and stay. What successes had in common goes an hour after the last of them.
-- What has ended since the oldest lease was claimed stays, as in the other dialects, whose leases need it.
DELETE FROM moving;
INSERT INTO moving (job_id, from_state, queue, fingerprint, discarded_at, since)
SELECT f.job_id, f.state, j.queue, f.fingerprint, f.discarded_at, f.finished_at
FROM finished f JOIN jobs j ON j.id = f.job_id
WHERE f.job_id < :bound AND f.finished_at < min(:cutoff, coalesce((SELECT min(claimed_at) FROM leases), :cutoff)) ORDER BY f.job_id LIMIT :limit;
INSERT INTO moving (job_id, from_state, since)
SELECT s.job_id, 'succeeded', t.ended_at
FROM successes s JOIN settlements t ON t.id = s.settlement_id
WHERE s.job_id < :bound AND t.ended_at < min(:cutoff, coalesce((SELECT min(claimed_at) FROM leases), :cutoff)) ORDER BY s.job_id LIMIT :limit - (SELECT count(*) FROM moving);
INSERT INTO facts (n, type, queue, from_state, at, subjects, items)
SELECT count(*), 'job.pruned', queue, CASE WHEN substr(queue, 1, 4) <> 'cmp_' THEN from_state END, :now, json_group_array(job_id),
  json_group_array(json_object('was', CASE WHEN discarded_at IS NULL THEN fingerprint END))
FROM moving WHERE from_state IN ('failed', 'uncertain') GROUP BY queue, from_state;
DELETE FROM finished WHERE job_id IN (SELECT job_id FROM moving);
DELETE FROM successes WHERE job_id IN (SELECT job_id FROM moving);
DELETE FROM settlements WHERE ended_at < :cutoff - 3600000000 AND (SELECT count(*) FROM moving) < :limit;
DELETE FROM attempts WHERE job_id IN (SELECT job_id FROM moving);
DELETE FROM late_results WHERE job_id IN (SELECT job_id FROM moving);
DELETE FROM redrives WHERE job_id IN (SELECT job_id FROM moving);
DELETE FROM cancellations WHERE job_id IN (SELECT job_id FROM moving);
DELETE FROM checkpoints WHERE job_id IN (SELECT job_id FROM moving);
UPDATE job_keys
SET ended_as = (SELECT m.from_state FROM moving m WHERE m.job_id = job_keys.job_id), ended_at = (SELECT m.since FROM moving m WHERE m.job_id = job_keys.job_id)
WHERE key IN (SELECT j.key FROM moving m CROSS JOIN jobs j ON j.id = m.job_id WHERE j.key IS NOT NULL) AND job_id IN (SELECT job_id FROM moving);
DELETE FROM jobs WHERE id IN (SELECT job_id FROM moving);
SELECT count(*) FROM moving;
