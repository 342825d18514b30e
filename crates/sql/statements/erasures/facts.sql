-- The next facts that have no number yet: those that name or quote a person or tell of a delivery that was theirs, and the last one that
-- was looked at. `places` are those of such deliveries among its subjects.
WITH page AS MATERIALIZED (
  SELECT id AS place, CAST(type AS text) AS type, subjects, CAST(data AS text) AS data, CAST(items AS text) AS items FROM facts WHERE last_seq IS NULL AND id > :cursor ORDER BY id LIMIT :limit
), {{searched_facts}}
