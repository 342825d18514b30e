-- Of some ids, the next numbers.
WITH n AS MATERIALIZED (SELECT number FROM recipients WHERE id = ANY(:ids::text[]))
SELECT number FROM n WHERE number > :after AND number <= :until ORDER BY number LIMIT :limit
