-- The places of deliveries to a person who was erased among the subjects of a fact, if there are any.
nullif((
      SELECT json_group_array(s.key) FROM json_each(CASE WHEN json_valid(p.subjects) THEN p.subjects ELSE '[]' END) s JOIN jobs j ON j.id = s.value WHERE j.payload = :erased
    ), '[]')
