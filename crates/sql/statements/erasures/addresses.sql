-- The addresses of a recipient as they are kept, those that are dead included.
SELECT id, {{as_text addresses}}, {{as_text dead}} FROM recipients WHERE id = :recipient
