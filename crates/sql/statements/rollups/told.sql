-- How many jobs came to each state and went from it, some spans told as one.
SELECT {{per span :step::bigint}} * :step::bigint, state, CAST(sum(came) AS {{whole}}), CAST(sum(went) AS {{whole}})
FROM rollups
WHERE queue = :queue AND resolution = :resolution AND span >= :first
GROUP BY 1, 2
ORDER BY 1, 2
