-- What pictures are marked with, some minutes told as one.
SELECT {{per minute :step::bigint}} * :step::bigint, kind, CAST(sum(n) AS {{whole}}), max(subject), max(version)
FROM markers
WHERE minute >= :first
GROUP BY 1, 2
ORDER BY 1, 2
