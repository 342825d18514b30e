-- Takes everything out of deliveries that have ended but what their counters need: what they carried, what was answered, and what
-- others wrote. Where they stood together with others, their places stay.
DELETE FROM job_keys WHERE key = ANY (ARRAY(SELECT j.key FROM jobs j JOIN unnest(:ids::uuid[], :keeps_keys::integer[]) AS r (id, keeps_key) ON r.id = j.id WHERE r.keeps_key = 0))
  AND job_id = ANY (:ids::uuid[]);
UPDATE jobs SET payload = :erased, key = CASE WHEN r.keeps_key = 1 THEN jobs.key END, tags = r.tags
FROM unnest(:ids::uuid[], :keeps_keys::integer[], :tags::text[]) AS r (id, keeps_key, tags)
WHERE jobs.id = r.id;
UPDATE attempts SET message = CASE WHEN message IS NOT NULL THEN :word::text END, result = NULL, reason = CASE WHEN state IN ('succeeded', 'failed', 'skipped', 'uncertain', 'pending', 'queued', 'retry_wait') THEN reason END
WHERE job_id = ANY (:ids::uuid[]);
UPDATE successes SET result = NULL WHERE job_id = ANY (:ids::uuid[]) AND result IS NOT NULL;
UPDATE late_results SET result = NULL WHERE job_id = ANY (:ids::uuid[]) AND result IS NOT NULL;
UPDATE checkpoints SET lease_id = NULL, cursor = NULL, progress = NULL, moved = false WHERE job_id = ANY (:ids::uuid[]);
UPDATE finished SET reason = NULL WHERE job_id = ANY (:ids::uuid[]) AND state NOT IN ('succeeded', 'failed', 'skipped', 'uncertain');
UPDATE success_batches
SET results = (SELECT array_agg(CASE WHEN s.job <> ALL (:ids::uuid[]) THEN s.result END ORDER BY s.place) FROM unnest(jobs, results) WITH ORDINALITY AS s (job, result, place))
WHERE results IS NOT NULL AND jobs && :ids::uuid[]
  AND first = ANY (ARRAY(SELECT (SELECT k.first FROM success_batches k WHERE k.first <= r.id ORDER BY k.first DESC LIMIT 1) FROM unnest(:ids::uuid[]) AS r (id)));
UPDATE ready_batches
SET payloads = (SELECT array_agg(CASE WHEN s.job = ANY (:ids::uuid[]) THEN :erased ELSE s.payload END ORDER BY s.place) FROM unnest(jobs, payloads) WITH ORDINALITY AS s (job, payload, place))
WHERE jobs && :ids::uuid[]
  AND first = ANY (ARRAY(SELECT (SELECT b.first FROM ready_batches b WHERE b.first <= r.id ORDER BY b.first DESC LIMIT 1) FROM unnest(:ids::uuid[]) AS r (id)))
