-- Of a page of facts those that name or quote a person or tell of a delivery that was theirs, and the last one.
searched AS {{materialized}} (
  SELECT p.*,
    EXISTS (SELECT 1 FROM {{listed :traces text}} t WHERE {{strpos}}(coalesce(data, ''), t.value) > 0 OR {{strpos}}(coalesce(items, ''), t.value) > 0) AS is_quoting,
    CASE WHEN {{strpos}}(items, '"message"') > 0 OR type IN ('job.canceled', 'job.cancel_asked') THEN {{places_of_erased}} END AS places
  FROM page p
)
SELECT place, type, CASE WHEN is_quoting OR places IS NOT NULL THEN data END, CASE WHEN is_quoting OR places IS NOT NULL THEN items END, places
FROM searched WHERE is_quoting OR places IS NOT NULL OR place = (SELECT max(place) FROM page) ORDER BY place
