-- The next facts that have no number yet: those that name or quote a person or tell of a delivery that was theirs, and the last one that
-- was looked at. `places` are those of such deliveries among its subjects.
WITH page AS {{materialized}} (
  SELECT id AS place, {{as_text type}} AS type, subjects, {{as_text data}} AS data, {{as_text items}} AS items FROM facts WHERE last_seq IS NULL AND id > :cursor ORDER BY id LIMIT :limit
), {{searched_facts}}
