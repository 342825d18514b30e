-- How many members an audience has; the first count stays.
UPDATE campaigns SET expected = :members WHERE id = :id AND expected IS NULL
