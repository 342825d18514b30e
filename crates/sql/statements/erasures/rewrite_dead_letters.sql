-- Takes what was said of a failure out of groups that still say it.
UPDATE dead_letter_groups SET message = :word
FROM (SELECT {{member :groups text}} AS fingerprint, {{member :messages text}} AS message) AS r
WHERE dead_letter_groups.fingerprint = r.fingerprint AND (dead_letter_groups.message = r.message OR {{is_no_text dead_letter_groups.message}})
