-- How many jobs waited for about how long before they were claimed, some spans told as one.
SELECT {{per span :step::bigint}} * :step::bigint, bucket, CAST(sum(n) AS {{whole}})
FROM waits
WHERE queue = :queue AND resolution = :resolution AND span >= :first
GROUP BY 1, 2
ORDER BY 1, 2
