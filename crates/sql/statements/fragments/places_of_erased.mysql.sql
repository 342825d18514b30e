-- The places of deliveries to a person who was erased among the subjects of a fact, if there are any.
(
      SELECT json_arrayagg(s.place - 1)
      FROM json_table(CASE WHEN json_valid(p.subjects) THEN p.subjects ELSE '[]' END, '$[*]' COLUMNS (place FOR ORDINALITY, job varchar(36) PATH '$')) s
      STRAIGHT_JOIN jobs j ON j.id = s.job WHERE j.payload = :erased
    )
