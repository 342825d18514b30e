-- Takes what was said of a failure out of groups that still say it.
UPDATE dead_letter_groups SET message = :word WHERE fingerprint = :groups AND (message = :messages OR typeof(message) <> 'text')
