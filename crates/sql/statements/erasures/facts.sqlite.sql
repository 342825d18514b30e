-- The next facts that have no number yet: those that name or quote a person or tell of a delivery that was theirs, and the last one that
-- was looked at. `places` are those of such deliveries among its subjects.
WITH page AS MATERIALIZED (
  SELECT id AS place, CAST(type AS text) AS type, subjects, CAST(data AS text) AS data, CAST(items AS text) AS items FROM facts WHERE last_seq IS NULL AND id > :cursor ORDER BY id LIMIT :limit
), searched AS MATERIALIZED (
  SELECT p.*,
    EXISTS (SELECT 1 FROM json_each(:traces) t WHERE instr(coalesce(data, ''), t.value) > 0 OR instr(coalesce(items, ''), t.value) > 0) AS is_quoting,
    CASE WHEN instr(items, '"message"') > 0 OR type IN ('job.canceled', 'job.cancel_asked') THEN nullif((
      SELECT json_group_array(s.key) FROM json_each(CASE WHEN json_valid(p.subjects) THEN p.subjects ELSE '[]' END) s JOIN jobs j ON j.id = s.value WHERE j.payload = :erased
    ), '[]') END AS places
  FROM page p
)
SELECT place, type, CASE WHEN is_quoting OR places IS NOT NULL THEN data END, CASE WHEN is_quoting OR places IS NOT NULL THEN items END, places
FROM searched WHERE is_quoting OR places IS NOT NULL OR place = (SELECT max(place) FROM page) ORDER BY place
