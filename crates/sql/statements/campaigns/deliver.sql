-- Writes the deliveries of a chunk, each in its place, with their facts; what they have in common is bound once, and many
-- that are due at the same time share a row of the line. None of them can be there already: their ids are the recipients', and
-- nobody comes to a recipient twice.
INSERT INTO jobs (id, kind, queue, priority, payload, run_at, max_attempts, backoff, timeout_us, expires_at, delivery, tags, created_at)
VALUES (:ids, :kind, :queue, :priority, :payloads, :run_ats, :max_attempts, :backoff, :timeout, :run_ats + :lasts, :delivery, :tags, :now);
INSERT INTO ready_batches (queue, priority, run_at, first, last, n, expires_at, since)
VALUES (:queue, :priority, :batch_ats, :batch_firsts, :batch_lasts, :batch_counts, :batch_ats + :lasts, :now);
INSERT INTO ready (queue, priority, run_at, job_id, expires_at, since, attempt, tries, losses, run)
VALUES (:queue, :priority, :single_ats, :single_ids, :single_ats + :lasts, :now, 0, 0, 0, 1);
INSERT INTO waiting (job_id, state, queue, priority, run_at, expires_at, since, attempt, tries, losses, run)
VALUES (:later_ids, 'pending', :queue, :priority, :later_ats, :later_ats + :lasts, :now, 0, 0, 0, 1);
INSERT INTO facts (n, type, queue, to_state, at, subjects)
SELECT {{length :due}}, 'job.queued', :queue, 'queued', :now, :due WHERE {{length :due}} > 0;
INSERT INTO facts (n, type, queue, to_state, at, subjects, items)
SELECT {{length :later}}, 'job.pending', :queue, 'pending', :now, :later, :later_items WHERE {{length :later}} > 0;
