-- Leases the most urgent jobs of one queue within its limits. The queue's row is locked first, so
-- that what others run is counted as it is.
-- Who asks late, with an old reading of the clock, gains nothing and spends of what there is; a clock that was put back is followed.
-- A claim is never dated before its jobs were there to be claimed, although its moment was read earlier.
SELECT name FROM queues FORCE INDEX (PRIMARY) WHERE name = :queue FOR UPDATE;
UPDATE queues FORCE INDEX (PRIMARY)
SET tokens = CASE WHEN rate IS NULL THEN tokens ELSE least(greatest(rate, 1), tokens + rate * greatest(0, :now - tokens_at) / 1000000.0) END,
  tokens_at = CASE WHEN :now BETWEEN tokens_at - :late AND tokens_at THEN tokens_at ELSE :now END
WHERE name = :queue;
SELECT max(q.name), coalesce(max(greatest(0, least(
    :k,
    coalesce(q.max_running - (SELECT coalesce(sum(l.open), 0) FROM leases l WHERE l.queue = :queue), :k),
    CASE WHEN q.rate IS NULL THEN :k ELSE floor(q.tokens) END))), 0)
  INTO @open, @most
FROM queues q
WHERE q.name = :queue AND NOT q.paused AND NOT EXISTS (SELECT 1 FROM leases l WHERE l.id = :lease);
DELETE FROM claiming;
{{claim_line}}
{{lease}}
{{claim_fact}}
UPDATE queues FORCE INDEX (PRIMARY) SET tokens = tokens - (SELECT count(*) FROM claiming) - @batched WHERE name = :queue AND rate IS NOT NULL;
{{read_claimed}}
