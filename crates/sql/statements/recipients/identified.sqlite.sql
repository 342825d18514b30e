-- Of some ids, the next numbers. The plus keeps the order from being had by reading everybody.
SELECT number FROM recipients
WHERE id IN (SELECT value FROM json_each(:ids)) AND +number > :after AND +number <= :until
ORDER BY +number LIMIT :limit
