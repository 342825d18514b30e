-- What is taken, as blocks. Those of a batch whose ids have no gaps follow from the first and the last: each has a step of 64 ids, of which the
-- first and the last step may have a part. For the others their jobs are read. Then, in one reading, the ids of all, and of deliveries what each
-- carries; of these the first job of each batch is all that is left to be read.
INSERT INTO leased_blocks (lease_id, block, since, bits, first, last)
SELECT :lease, {{block j.id}} AS of_block, t.since, bit_or({{bit j.id}}), min(j.id), max(j.id)
FROM taking t STRAIGHT_JOIN jobs j FORCE INDEX (PRIMARY) ON j.id >= t.first AND j.id <= t.last AND j.run_at = t.run_at AND j.queue = @open
WHERE NOT t.is_dense
GROUP BY of_block, t.since;
SELECT max(({{number_of last}} >> 6) - ({{number_of first}} >> 6)) INTO @widest FROM taking WHERE is_dense;
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
SELECT coalesce(sum(bit_count(bits)), 0), coalesce(max(since), 0) INTO @batched, @batch_since FROM leased_blocks FORCE INDEX (PRIMARY) WHERE lease_id = :lease AND @in_blocks;
SELECT '["' || group_concat(j.id SEPARATOR '","') || '"]', group_concat(CASE WHEN @are_alike THEN j.payload END SEPARATOR x'1e') INTO @subjects, @payloads
FROM taking t STRAIGHT_JOIN jobs j FORCE INDEX (PRIMARY) ON j.id >= t.first AND j.id <= t.last AND j.run_at = t.run_at AND j.queue = @open;
UPDATE taking SET last = first WHERE @are_alike;
