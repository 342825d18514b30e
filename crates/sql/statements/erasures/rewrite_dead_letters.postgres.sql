-- Takes what was said of a failure out of groups that still say it.
UPDATE dead_letter_groups SET message = :word
FROM unnest(:groups::text[], :messages::text[]) AS r (fingerprint, message)
WHERE dead_letter_groups.fingerprint = r.fingerprint AND dead_letter_groups.message = r.message
