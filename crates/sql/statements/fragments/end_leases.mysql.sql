-- A lease of which nothing is left is over, and so are its blocks.
DELETE b FROM locked k
STRAIGHT_JOIN leases l FORCE INDEX (PRIMARY) ON l.id = k.id
STRAIGHT_JOIN leased_blocks b FORCE INDEX (PRIMARY) ON b.lease_id = l.id
WHERE l.open = 0;
DELETE l FROM locked k STRAIGHT_JOIN leases l FORCE INDEX (PRIMARY) ON l.id = k.id WHERE l.open = 0;
