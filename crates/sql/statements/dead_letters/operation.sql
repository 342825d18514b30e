-- One operation, whatever it does.
SELECT {{operation}} FROM operations WHERE id = :id
UNION ALL
SELECT {{job_operation}} FROM job_operations WHERE id = :id
UNION ALL
SELECT {{erasure}} FROM erasures WHERE id = :id
