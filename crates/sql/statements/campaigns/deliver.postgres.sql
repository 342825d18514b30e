-- Writes the deliveries of a chunk, each in its place, with their facts; what they have in common is said once, and many
-- that are due at the same time share a row of the line. Nothing is
-- written unless this transaction has moved the campaign's cursor. After that none of them can be there already: their
-- ids are the recipients', and nobody comes to a recipient twice.
WITH moved AS MATERIALIZED (
  SELECT id FROM campaigns WHERE id = :campaign AND xmin = pg_current_xact_id()::xid
), new_jobs AS (
  INSERT INTO jobs (id, kind, queue, priority, payload, run_at, max_attempts, backoff, timeout_us, expires_at, delivery, tags, created_at)
  SELECT id, :kind, :queue, :priority::smallint, payload, run_at, :max_attempts::integer, :backoff, :timeout::bigint, run_at + :lasts::bigint, :delivery::text, :tags, :now
  FROM unnest(:ids::uuid[], :payloads::text[], :run_ats::bigint[]) AS r (id, payload, run_at)
  WHERE EXISTS (SELECT 1 FROM moved)
), new_batches AS (
  INSERT INTO ready_batches (first, queue, priority, run_at, expires_at, since, n, jobs, payloads)
  SELECT (:due_ids::uuid[])[b.low], :queue, :priority, b.run_at, b.run_at + :lasts::bigint, :now, b.high - b.low + 1,
    (:due_ids::uuid[])[b.low : b.high], (:due_payloads::text[])[b.low : b.high]
  FROM unnest(:batch_lows::integer[], :batch_highs::integer[], :batch_ats::bigint[]) AS b (low, high, run_at)
  WHERE EXISTS (SELECT 1 FROM moved)
), new_ready AS (
  INSERT INTO ready (queue, priority, run_at, job_id, expires_at, since, attempt, tries, losses, run)
  SELECT :queue, :priority, run_at, id, run_at + :lasts::bigint, :now, 0, 0, 0, 1
  FROM unnest(:single_ids::uuid[], :single_ats::bigint[]) AS r (id, run_at)
  WHERE EXISTS (SELECT 1 FROM moved)
), new_waiting AS (
  INSERT INTO waiting (job_id, state, queue, priority, run_at, expires_at, since, attempt, tries, losses, run)
  SELECT id, 'pending', :queue, :priority, run_at, run_at + :lasts::bigint, :now, 0, 0, 0, 1
  FROM unnest(:later_ids::uuid[], :later_ats::bigint[]) AS r (id, run_at)
  WHERE EXISTS (SELECT 1 FROM moved)
), told AS (
  INSERT INTO facts (n, type, queue, to_state, at, subjects, items)
  SELECT cardinality(x.ids), 'job.' || x.state, :queue, x.state, :now, x.ids, x.items
  FROM (VALUES ('queued', :due_ids::uuid[], NULL), ('pending', :later_ids::uuid[], :later_items::text)) AS x (state, ids, items)
  WHERE cardinality(x.ids) > 0 AND EXISTS (SELECT 1 FROM moved)
)
SELECT count(*) FROM moved
