-- Writes the plans of campaigns without a person; a key and a reason that quote them go, if the reason is still the same.
UPDATE campaigns SET plan = r.plan, key = CASE WHEN r.keeps_key = 1 THEN campaigns.key END,
  why = CASE WHEN campaigns.why = r.why OR (r.why IS NOT NULL AND {{is_no_text campaigns.why}}) THEN :word ELSE campaigns.why END
FROM (SELECT {{member :ids uuid}} AS id, {{member :plans text}} AS plan, {{member :keeps_keys integer}} AS keeps_key, {{member :whys text}} AS why) AS r
WHERE campaigns.id = r.id
