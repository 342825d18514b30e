-- The numbered facts of one job, found by the exact instants at which it moved.
SELECT {{fact}}
FROM facts
WHERE at IN (
{{moments_of_job}}
) AND last_seq IS NOT NULL AND instr(subjects, :job) > 0
ORDER BY last_seq
