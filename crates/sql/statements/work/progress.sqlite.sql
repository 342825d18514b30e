-- Writes down how far jobs have come, each only if the lease is the worker's and holds that attempt.
INSERT INTO checkpoints (job_id, seq, era, attempt, progress, moved, at, told_at)
SELECT h.job_id, 0, 1, h.attempt, r.value ->> 'progress', 0, :now, 0
FROM json_each(:rows) r
JOIN leased h ON h.job_id = r.value ->> 'job' AND h.lease_id = r.value ->> 'lease' AND h.attempt = r.value ->> 'attempt'
JOIN leases l ON l.id = h.lease_id AND l.worker_id = :worker
WHERE true
ON CONFLICT (job_id) DO UPDATE SET progress = excluded.progress;
