-- Writes the plans of campaigns without a person; a key and a reason that quote them go, if the reason is still the same.
UPDATE campaigns SET plan = r.plan, key = CASE WHEN r.keeps_key = 1 THEN campaigns.key END, why = CASE WHEN campaigns.why = r.why THEN :word ELSE campaigns.why END
FROM unnest(:ids::uuid[], :plans::text[], :keeps_keys::integer[], :whys::text[]) AS r (id, plan, keeps_key, why)
WHERE campaigns.id = r.id
