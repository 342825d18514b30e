-- Forgets numbered facts that are old, from the front only, so that what is left is dense.
SELECT max(x.last_seq) INTO @end FROM (SELECT last_seq FROM facts WHERE last_seq > 0 ORDER BY last_seq LIMIT :limit) x;
SELECT coalesce(min(x.last_seq), @end + 1) INTO @end
FROM (SELECT last_seq, at FROM facts WHERE last_seq > 0 ORDER BY last_seq LIMIT :limit) x
WHERE x.at >= :cutoff;
SELECT last_seq FROM facts FORCE INDEX (facts_number) WHERE last_seq > 0 AND last_seq < @end;
DELETE /*+ INDEX(f facts_number) */ /*M! f */ FROM facts f /*M! FORCE INDEX (facts_number) */ WHERE f.last_seq > 0 AND f.last_seq < @end
