-- What was numbered in this turn of jobs that became dead letters, or are none any more.
    SELECT i.value ->> 'fingerprint' AS fingerprint, i.value ->> 'was' AS was, i.value ->> 'reason' AS reason, i.value ->> 'class' AS class,
      i.value ->> 'code' AS code, i.value ->> 'message' AS message, json_extract(f.subjects, '$[' || i.key || ']') AS job_id, f.at
    FROM facts f
    JOIN json_each(CASE WHEN :takes_apart = 1 AND json_valid(f.items) AND coalesce(json_valid(f.subjects), true) THEN f.items ELSE '[]' END) i
    WHERE f.last_seq > (SELECT last_seq FROM stream) AND f.items IS NOT NULL
      AND (f.to_state = 'failed' OR f.from_state = 'failed' OR f.from_state = 'uncertain' OR f.type IN ('job.discarded', 'job.pruned'))
