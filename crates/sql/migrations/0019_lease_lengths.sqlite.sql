-- How long the leases of a worker last without a renewal. Whoever watches them waits for as long before it takes one back; of
-- workers that do not say, as those of versions before, it goes by the ends of their leases.
ALTER TABLE workers ADD COLUMN lease_us integer;
