-- Oldest program: 5
-- Who is held under a lease is read from the whole table, which has no more rows than all workers have slots: an index would be written
-- twice for each job.
DROP INDEX leased_lease ON leased;
