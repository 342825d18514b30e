-- Of some ids, the next numbers.
WITH identified AS {{materialized}} (SELECT number FROM recipients WHERE id {{in :ids text}})
SELECT number FROM identified WHERE number > :after AND number <= :until ORDER BY number LIMIT :limit
