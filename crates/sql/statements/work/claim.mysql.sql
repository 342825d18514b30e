-- Leases the most urgent jobs of a queue that has no limits of its own, as far as nobody else has them in hand. They are locked and
-- deleted by the primary key, in which all come to them; what is still wanted then comes from batches.
-- A claim is never dated before its jobs were there to be claimed, although its moment was read earlier.
DELETE FROM claiming;
SELECT max(q.name) INTO @open FROM queues q WHERE {{is_open}} AND NOT EXISTS (SELECT 1 FROM leases l WHERE l.id = :lease);
SET @most = :k;
{{claim_line}}
{{lease}}
{{claim_fact}}
{{read_claimed}}
