-- What is taken, as blocks. In one reading the ids of all, and of deliveries what each carries; of these the first job of each batch is all
-- that is left to be read. The blocks of a batch whose ids have no gaps follow from the first and the last: each is a step of 64 ids, of which
-- the first and the last may have a part. Where one that is counted is not there, and for all others, blocks are made of the jobs.
SELECT count(*), count(CASE WHEN t.is_dense THEN 1 END), coalesce(max(t.since), 0), '["' || group_concat(j.id SEPARATOR '","') || '"]',
  group_concat(CASE WHEN @are_alike THEN j.payload END SEPARATOR x'1e')
  INTO @batched, @dense, @batch_since, @subjects, @payloads
FROM taking t STRAIGHT_JOIN jobs j FORCE INDEX (PRIMARY) ON j.id >= t.first AND j.id <= t.last AND j.run_at = t.run_at AND j.queue = @open;
SELECT count(*), sum(CASE WHEN is_dense THEN {{number_of last}} - {{number_of first}} + 1 ELSE 0 END), max(CASE WHEN is_dense THEN ({{number_of last}} >> 6) - ({{number_of first}} >> 6) END)
  INTO @batches, @spanned, @widest
FROM taking;
UPDATE taking SET is_dense = 0 WHERE @dense <> @spanned;
INSERT INTO leased_blocks (lease_id, block, since, bits, first, last)
SELECT :lease, {{block j.id}} AS of_block, t.since, bit_or({{bit j.id}}), min(j.id), max(j.id)
FROM taking t STRAIGHT_JOIN jobs j FORCE INDEX (PRIMARY) ON j.id >= t.first AND j.id <= t.last AND j.run_at = t.run_at AND j.queue = @open
WHERE NOT t.is_dense
GROUP BY of_block, t.since;
INSERT INTO leased_blocks (lease_id, block, since, bits, first, last)
WITH RECURSIVE steps (step) AS (SELECT 0 FROM (SELECT 1) one WHERE @widest >= 0 UNION ALL SELECT step + 1 FROM steps WHERE step < @widest)
SELECT :lease, {{block x.first}}, x.since, (~0 >> (63 - x.further)) << x.begins, x.first, x.last
FROM (
  SELECT y.since, y.low & 63 AS begins, y.high - y.low AS further,
    y.head || lpad(lower(hex(y.low)), 10, '0') AS first, y.head || lpad(lower(hex(y.high)), 10, '0') AS last
  FROM (
    SELECT t.since, t.head, greatest(t.low, ((t.low >> 6) + s.step) << 6) AS low, least(t.high, ((t.low >> 6) + s.step) << 6 | 63) AS high
    FROM (SELECT since, left(first, 26) AS head, {{number_of first}} AS low, {{number_of last}} AS high FROM taking WHERE is_dense) t
    CROSS JOIN steps s
    WHERE s.step <= (t.high >> 6) - (t.low >> 6)) y) x
ON DUPLICATE KEY UPDATE bits = leased_blocks.bits | VALUES(bits), first = least(leased_blocks.first, VALUES(first)), last = greatest(leased_blocks.last, VALUES(last));
UPDATE taking SET last = first WHERE @are_alike;
