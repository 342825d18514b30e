-- The numbered facts of one job, found by the exact instants at which it moved.
SELECT {{fact}}
FROM facts
WHERE at = ANY (ARRAY(
{{moments_of_job}}
)) AND last_seq IS NOT NULL AND subjects @> ARRAY[:job::uuid]
ORDER BY last_seq
