-- What stands in `unpacking_leased` and is held in a block, under a lease in `locked`, is held by itself from here on.
INSERT INTO leased (job_id, lease_id, attempt, tries, losses, run, since)
SELECT u.job_id, u.lease_id, 1, 1, 0, 1, b.since
FROM unpacking_leased u
STRAIGHT_JOIN locked k ON k.id = u.lease_id
STRAIGHT_JOIN leased_blocks b FORCE INDEX (PRIMARY) ON b.lease_id = u.lease_id AND b.block = {{block u.job_id}} AND (b.bits & {{bit u.job_id}}) > 0;
UPDATE (
  SELECT u.lease_id, {{block u.job_id}} AS block, bit_or({{bit u.job_id}}) AS bits
  FROM unpacking_leased u STRAIGHT_JOIN locked k ON k.id = u.lease_id
  GROUP BY 1, 2) u
STRAIGHT_JOIN leased_blocks b FORCE INDEX (PRIMARY) ON b.lease_id = u.lease_id AND b.block = u.block
SET b.bits = b.bits & ~u.bits;
