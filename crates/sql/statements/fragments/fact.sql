-- The columns of a fact.
last_seq, n, type, queue, from_state, to_state, at, subject, {{as_json subjects}}, {{as_json attempts}}, data, items
