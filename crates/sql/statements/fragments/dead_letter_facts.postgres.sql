-- What was numbered in this turn of jobs that became dead letters, or are none any more.
    SELECT i.item ->> 'fingerprint' AS fingerprint, i.item ->> 'was' AS was, i.item ->> 'reason' AS reason, i.item ->> 'class' AS class,
      i.item ->> 'code' AS code, i.item ->> 'message' AS message, s.job_id, f.at
    FROM facts f
    CROSS JOIN LATERAL jsonb_array_elements((CASE WHEN CAST(:takes_apart AS bigint) = 1 THEN f.items ELSE '[]' END)::jsonb) WITH ORDINALITY AS i (item, place)
    CROSS JOIN LATERAL (SELECT f.subjects[i.place::integer] AS job_id) s
    WHERE f.last_seq > (SELECT last_seq FROM stream) AND f.items IS NOT NULL
      AND (f.to_state = 'failed' OR f.from_state = 'failed' OR f.from_state = 'uncertain' OR f.type IN ('job.discarded', 'job.pruned'))
