-- The next facts that have no number yet: those that name or quote a person or tell of a delivery that was theirs, and the last one that
-- was looked at. `places` are those of such deliveries among its subjects.
WITH page AS MATERIALIZED (
  SELECT id AS place, type, subjects, data, items FROM facts WHERE last_seq IS NULL AND id > :cursor ORDER BY id LIMIT :limit
), searched AS MATERIALIZED (
  SELECT p.*,
    EXISTS (SELECT 1 FROM unnest(:traces::text[]) AS t WHERE strpos(coalesce(data, ''), t) > 0 OR strpos(coalesce(items, ''), t) > 0) AS is_quoting,
    CASE WHEN strpos(items, '"message"') > 0 OR type IN ('job.canceled', 'job.cancel_asked') THEN (
      SELECT json_agg(s.place - 1)::text FROM unnest(p.subjects) WITH ORDINALITY AS s (job, place)
      WHERE EXISTS (SELECT 1 FROM jobs j WHERE j.id = s.job AND j.payload = :erased OFFSET 0)
    ) END AS places
  FROM page p
)
SELECT place, type, CASE WHEN is_quoting OR places IS NOT NULL THEN data END, CASE WHEN is_quoting OR places IS NOT NULL THEN items END, places
FROM searched WHERE is_quoting OR places IS NOT NULL OR place = (SELECT max(place) FROM page) ORDER BY place
