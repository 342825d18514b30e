-- Makes due jobs claimable, the earliest first.
DELETE FROM moving;
INSERT INTO moving (job_id, from_state, queue, priority, run_at, expires_at, attempt, tries, losses, run)
SELECT w.job_id, w.state, w.queue, w.priority, w.run_at, w.expires_at, w.attempt, w.tries, w.losses, w.run
FROM waiting w FORCE INDEX (waiting_due)
WHERE w.run_at <= :now AND {{picked w.job_id}}
ORDER BY w.run_at, w.job_id
LIMIT :limit
FOR UPDATE SKIP LOCKED;
DELETE w FROM moving m STRAIGHT_JOIN waiting w FORCE INDEX (PRIMARY) ON w.job_id = m.job_id;
INSERT INTO ready (queue, priority, run_at, job_id, expires_at, since, attempt, tries, losses, run)
SELECT queue, priority, run_at, job_id, expires_at, :now, attempt, tries, losses, run FROM moving;
INSERT INTO facts (n, type, queue, from_state, to_state, at, subjects)
SELECT count(*), 'job.queued', queue, from_state, 'queued', :now, json_arrayagg(job_id) FROM moving GROUP BY queue, from_state;
SELECT count(*), concat('[', coalesce(group_concat(CASE WHEN {{is_hinted_at m.queue}} THEN json_array(m.queue, m.job_id, m.priority) END ORDER BY m.run_at, m.job_id SEPARATOR ','), ''), ']'), max(m.run_at)
  INTO @released, @hints, @at
FROM moving m;
SET @last = (SELECT max(job_id) FROM moving WHERE run_at = @at);
-- The next one stands behind the last that was taken; who was skipped is being taken by another.
SELECT @released, @hints,
  coalesce(
    (SELECT min(w.run_at) FROM waiting w WHERE w.run_at = @at AND w.job_id > @last),
    (SELECT min(w.run_at) FROM waiting w WHERE w.run_at > coalesce(@at, :now)));
