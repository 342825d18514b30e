-- The places of deliveries to a person who was erased among the subjects of a fact, if there are any.
(
      SELECT json_agg(s.place - 1)::text FROM unnest(p.subjects) WITH ORDINALITY AS s (job, place)
      WHERE EXISTS (SELECT 1 FROM jobs j WHERE j.id = s.job AND j.payload = :erased OFFSET 0)
    )
