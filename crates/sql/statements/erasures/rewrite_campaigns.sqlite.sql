-- Writes the plans of campaigns without a person; a key and a reason that quote them go, if the reason is still the same.
UPDATE campaigns SET plan = :plans, key = CASE WHEN :keeps_keys = 1 THEN key END, why = CASE WHEN why = :whys OR (:whys IS NOT NULL AND typeof(why) <> 'text') THEN :word ELSE why END WHERE id = :ids
