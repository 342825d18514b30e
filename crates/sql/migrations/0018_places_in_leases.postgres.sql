-- Where in a lease these of its jobs are, for `leases.done`. A lease of an older server may not be in the order of ids: what
-- is not found there is left out, the numbers disagree, and each is looked up.
CREATE FUNCTION places_in(held uuid[], ended uuid[]) RETURNS int4multirange LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  RETURN (
    SELECT coalesce(range_agg(int4range(p.place, p.place + 1)), '{}')
    FROM (
      -- A slice, for the array as it is kept here would be copied for each of them.
      SELECT s.job, l.jobs, width_bucket(s.job, l.jobs) AS place
      FROM (SELECT held[1 :] AS jobs OFFSET 0) l CROSS JOIN unnest(ended) AS s (job)
    ) p
    WHERE p.jobs[p.place] = p.job);
END $$;
