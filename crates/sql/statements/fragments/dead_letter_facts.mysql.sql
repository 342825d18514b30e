-- What was numbered in this turn of jobs that became dead letters, or are none any more.
    SELECT i.fingerprint, i.reason, i.class, i.code, i.message, json_unquote(json_extract(f.subjects, '$[' || (i.place - 1) || ']')) AS job_id, f.at
    FROM facts f
    STRAIGHT_JOIN json_table(
      CASE WHEN :takes_apart = 1 AND json_valid(f.items) AND coalesce(json_valid(f.subjects), true) THEN f.items ELSE '[]' END,
      '$[*]' COLUMNS (
        place FOR ORDINALITY, fingerprint varchar(64) PATH '$.fingerprint', reason varchar(2048) PATH '$.reason',
        class varchar(32) PATH '$.class', code varchar(255) PATH '$.code', message longtext PATH '$.message'
      )
    ) i
    WHERE @has_letters AND f.last_seq > @before AND {{is_of_dead_letters}}
