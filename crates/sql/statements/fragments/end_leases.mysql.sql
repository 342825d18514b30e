-- A lease of which nothing is left is over.
DELETE l FROM locked k STRAIGHT_JOIN leases l FORCE INDEX (PRIMARY) ON l.id = k.id WHERE l.open = 0;
