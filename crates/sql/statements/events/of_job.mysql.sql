-- The numbered facts of one job, found by the exact instants at which it moved.
SELECT {{fact}}
FROM (
SELECT at AS moment FROM (
{{moments_of_job}}
) x) m
STRAIGHT_JOIN facts FORCE INDEX (facts_at) ON at = m.moment
WHERE last_seq IS NOT NULL AND instr(subjects, :job) > 0
ORDER BY last_seq
