-- Users after a name, by name.
SELECT {{account}} FROM users u WHERE u.name > :after ORDER BY u.name LIMIT :limit
